/** Speaks once to what its first argument names, as our processes do, and prints what came of it. The others are from the test. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAudit } from '@nereid/audit';
import { createMirrors } from '@nereid/git';
import { createGitHub, gitAuthorization } from '@nereid/github';
import { openObjectStore, type ObjectStoreOptions } from '@nereid/storage';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

const [what = '', url = '', more = '', last = ''] = process.argv.slice(2);

const github = () =>
  createGitHub({ appId: 4711, privateKey: more, apiUrl: `${url}/api/v3`, timeoutMs: 3_000, retryForMs: 1 });

async function list(place: string, options: ObjectStoreOptions): Promise<string> {
  const store = await openObjectStore(place, options);
  for await (const key of store.list('')) return key;
  return 'empty';
}

async function branchHead(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'nereid-proxied-'));
  const mirrors = createMirrors({
    ...{ dataDir: join(folder, 'data'), workDir: join(folder, 'work'), hostId: 'h1', gitUrl: url },
    authorization: async (repository) => gitAuthorization((await github().readToken(repository)).value),
    environment: process.env,
  });
  return mirrors.branchHead({ owner: 'acme', name: 'infra', installationId: Number(last) }, 'main');
}

async function record(to: string): Promise<string> {
  const { audit } = await openAudit({ to, secretFile: more }, { sns: { endpoint: url } });
  await audit.record({ version: 1, id: 'x:FORGED', state: 'FORGED', forged: 'go', sentence: '', about: '', at: '' });
  return 'recorded';
}

const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
  github: async () => (await github().appStatus.readGrants()).slug,
  git: branchHead,
  webhook: () => record(`webhook:${url}/events`),
  sns: () => record('sns:arn:aws:sns:eu-west-1:123456789012:audit'),
  s3: () => list('s3://bucket', { s3: { endpoint: url, region: 'eu-west-1', pathStyle: true } }),
  gs: () => list('gs://bucket', { gs: { emulator: url } }),
  az: () =>
    list('az://account/container', { az: { endpoint: `${url}/{account}`, accountKey: { reveal: () => 'YW55' } } }),
  client: () => Connection.connect({ address: url, connectTimeout: 2_000 }),
  worker: () => NativeConnection.connect({ address: url }),
};

try {
  process.stdout.write(`${String(await WAYS[what]?.())}\n`);
  process.exit(0);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
