/** The processes start with exactly what the chart and Cloud Run give them: their variables, their files, the server's file. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runCommand } from '@nereid/subprocess';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../background/free-port.ts';
import { startUntilReady } from '../../background/server.ts';
import { folderOfThisFile } from '../../testing/folders.ts';
import { CLOUD_RUN, readCloudRunService } from '../cloud-run.ts';
import { REPOSITORY, readRepositoryFile } from '../../repository.ts';
import { EXAMPLE_FILES } from './chart-files.ts';
import { podsOf, render, type Container, type Manifest } from './render.ts';

const [MINIMAL = ''] = EXAMPLE_FILES;
const CLOUD = EXAMPLE_FILES.find((file) => file.endsWith('google.yaml')) ?? '';
const COMPANY = EXAMPLE_FILES.find((file) => file.endsWith('company.yaml')) ?? '';

/** Imports take seconds, and looking around in a sandbox one for each target; beside others, ten times that. */
const READY_TIMEOUT_MS = 120_000;

/** The folders of the containers. Cloud Run has one for each secret. */
const SECRETS = /^\/run\/secrets\/[a-z]+(?=\/)/;
const SERVER_FILE = '/etc/nereid';

const folder = folderOfThisFile();

beforeAll(async () => {
  const argv = [process.execPath, 'packages/config/bin/nereid.js', 'keys', folder] as const;
  expect(await runCommand({ argv, env: {}, cwd: REPOSITORY, timeoutMs: READY_TIMEOUT_MS })).toMatchObject({
    exitCode: 0,
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // What GitHub and the provider of identities give, and Temporal Cloud.
  await writeFile(path.join(folder, 'github-app-private-key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  for (const name of ['github-webhook-secret', 'oidc-client-secret', 'temporal-api-key'])
    await writeFile(path.join(folder, name), randomBytes(32).toString('hex'));
});

describe.each([
  ['minimal.yaml', MINIMAL, ['nereid-gateway', 'nereid-console', 'nereid-control', 'nereid-host-default']],
  // Its hosts give code of roots a token that only a cluster makes.
  ['google.yaml', CLOUD, ['nereid-gateway', 'nereid-console', 'nereid-control']],
  // Its hosts have a mirror of providers. Its proxy is away, and so are its authorities.
  ['company.yaml', COMPANY, ['nereid-gateway', 'nereid-console', 'nereid-control']],
])('with %s', (_name, file, names) => {
  test.each(names)('%s starts, and waits for Temporal', async (name) => {
    const manifests = await render([file]);
    const [container] = manifests
      .filter(({ kind, metadata }) => ['Deployment', 'StatefulSet'].includes(kind) && metadata.name === name)
      .flatMap(podsOf)
      .flatMap(({ containers }) => containers);
    if (container === undefined) throw new Error(`expected ${name} among what the chart makes`);

    expect(await readinessOf(container, serverFileIn(manifests))).toEqual(WAITS_FOR_TEMPORAL);
  });
});

test.each(['gateway', 'console'] as const)('the %s of Cloud Run starts, and waits for Temporal', async (name) => {
  const { container } = await readCloudRunService(name);
  const serverFile = await readRepositoryFile(`${CLOUD_RUN}/nereid.server.yaml`);

  expect(await readinessOf({ ...container, name }, serverFile)).toEqual(WAITS_FOR_TEMPORAL);
});

/** Pages of the console open without Temporal, so it only says so. */
const WAITS_FOR_TEMPORAL = { message: expect.stringContaining('Temporal') as unknown };

/** Starts the process of a container until it is alive, and returns the answer of `/readyz`. */
async function readinessOf(container: Container, serverFile: string): Promise<unknown> {
  const home = await mkdtemp(path.join(folder, 'home-'));
  // Google's storage is away like the others, and asks for no credentials.
  const away = serverFile.replace(/^storage:$/m, 'storage:\n  gs: { emulator: http://127.0.0.1:1 }');
  await writeFile(path.join(home, 'nereid.server.yaml'), away);
  const { env, address } = await environmentOf(container, home);
  const started = await startUntilReady({
    name: container.name,
    process: { argv: commandOf(container), env, cwd: REPOSITORY, logFile: path.join(home, 'log') },
    isReady: async () => (await fetch(`http://${address}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  const ready = await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(10_000) });
  const answer: unknown = await ready.json();
  await started.kill();
  return answer;
}

/** What the container has, with its folders and addresses on this machine. */
async function environmentOf({ name, env = [] }: Container, home: string) {
  const given = new Map(env.map((each) => [each.name, each.value ?? 'of a Secret']));
  for (const [each, value] of given)
    given.set(each, value.replace(SECRETS, folder).replace(SERVER_FILE, home).replace('0.0.0.0', '127.0.0.1'));
  const address = `127.0.0.1:${await freePort()}`;
  const variable = `${name.toUpperCase()}_ADDRESS`;
  await mkdir(path.join(home, 'data'));
  const own = {
    PATH: process.env['PATH'] ?? '',
    [variable]: address,
    METRICS_ADDRESS: `127.0.0.1:${await freePort()}`,
    // Nobody listens there. Storage that is away keeps no process from starting; a lack of credentials would.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'nobody',
    ...(variable === 'WORKER_ADDRESS' && { DATA_DIR: path.join(home, 'data'), WORK_DIR: path.join(home, 'work') }),
  };
  return { env: { ...Object.fromEntries(given), ...own }, address };
}

function commandOf({ name }: Container): [string, ...string[]] {
  const preload = name === 'worker' ? ['--import', './apps/worker/src/platform/temporal/preload.ts'] : [];
  return [process.execPath, '--max-semi-space-size=16', ...preload, `apps/${name}/src/main.ts`];
}

function serverFileIn(manifests: readonly Manifest[]): string {
  const found = manifests.find(({ metadata }) => metadata.name === 'nereid-server-file');
  return (found as unknown as { readonly data: Readonly<Record<string, string>> }).data['nereid.server.yaml'] ?? '';
}
