/**
 * A host with the role terraform alone deploys, and has nothing with which anybody could act as control. What it and control say to
 * each other through Temporal is sealed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONTROL_QUEUE, WORKFLOW } from '@nereid/domain/temporal-names';
import { textOf } from '@nereid/test-kit';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import { rootCause } from '@temporalio/common';
import { openTerrain, until, type Terrain } from '../faults/terrain.ts';
import { SECOND_WORKER } from '../stack/processes.ts';
import { clearPayloads, whatTemporalSees, type Seen } from '../story/what-temporal-sees.ts';
import { openClient } from '../story/workflows.ts';

/** Of control, the gateway and the console. */
const SECRETS = [
  'github-app-private-key.pem',
  'link-key',
  'orders-key.pem',
  'gateway-key.pem',
  'github-webhook-secret',
];

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env, { hasHostAlone: true, sealsPayloads: true });
});

afterAll(async () => {
  await terrain.close();
});

test('a merge is planned, confirmed and applied, with tokens from control', async () => {
  const sha = await terrain.push('network', 'by-a-host-alone');
  await terrain.confirm('network', sha);

  await terrain.applied('network', sha);

  expect(await terrain.ledger()).toEqual(['by-a-host-alone']);
  expect(await terrain.hostOf('network', sha)).toBe(await terrain.hostIdOf(SECOND_WORKER));
  expect(await logOf(SECOND_WORKER)).not.toContain('does not need these secrets');
});

test('neither the environment of the host nor that of its children names a secret of others', async () => {
  const sha = await terrain.push('network', 'looked-at', { isHeld: true });
  await terrain.confirm('network', sha);
  await terrain.applyBegins('looked-at');

  // The host, and the supervisor of its apply at least.
  const environments = await environmentsWith('WORKER_ROLES=terraform');
  const ofControl = await environmentsWith('WORKER_ROLES=control');
  await terrain.letEnd('looked-at');
  await terrain.applied('network', sha);

  expect(environments.length).toBeGreaterThan(0);
  expect(namesIn(environments)).toEqual([]);
  expect(environments.join('\n')).not.toMatch(/GITHUB_APP|LINK_KEY|ORDERS_KEY=|ORDERS_KEY_FILE|AUDIT|AWS_|GATEWAY_KEY/);
  // The same look finds them where they belong.
  expect(namesIn(ofControl)).toEqual(['github-app-private-key.pem', 'link-key', 'orders-key.pem']);
});

test('its disk holds none of them, and no token', async () => {
  const { secondData, work, logs, secrets } = terrain.stack.folders;
  const own = [...(await filesIn(secondData)), ...(await filesIn(work)), path.join(logs, `${SECOND_WORKER}.log`)];

  expect(own.length).toBeGreaterThan(10);
  expect(await secretsIn(own)).toEqual([]);
  // The same look finds them where they belong.
  expect((await secretsIn(await filesIn(secrets))).toSorted()).toEqual(SECRETS.toSorted());
});

test('Temporal sees neither what people wrote nor what failed, and who has the key does', async () => {
  const client = await openClient(terrain.stack);
  const sha = await terrain.push('network', 'a-secret-name');
  await terrain.confirm('network', sha);
  const { externalId } = await terrain.applied('network', sha);
  const { failure } = await failedIntake(client);

  // Temporal lists workflows a moment after they ended.
  let seen: readonly Seen[] = [];
  await until('all workflows to be listed', async () => {
    seen = await whatTemporalSees(client);
    const ids = seen.map(({ workflowId }) => workflowId);
    return [externalId, 'delivery/forged'].every((id) => ids.includes(id));
  });
  const text = textOf(seen);

  expect(failure).toMatch(/^expected the event\/github to be signed/);
  expect(seen.flatMap(({ workflowId, records }) => clearPayloads(records, workflowId))).toEqual([]);
  for (const clear of ['a-secret-name', 'by-a-host-alone', 'terraform_data', 'to add', 'to be signed'])
    expect({ clear, isSeen: text.includes(clear) }).toEqual({ clear, isSeen: false });
  // The same look finds what is clear by its nature: an id, and the type of a failure.
  for (const clear of ['acme/infra||network', 'FORGED']) expect(text).toContain(clear);
  await client.connection.close();
});

/** Of an event that no gateway signed. */
async function failedIntake({ workflow }: Client): Promise<{ readonly failure: string | undefined }> {
  const repository = { owner: 'acme', name: 'infra', installationId: 1 };
  const event = { kind: 'push', repository, branch: 'main', before: '1'.repeat(40), after: '2'.repeat(40) };
  const about = { version: 1, delivery: 'forged', receivedAt: new Date().toISOString() };
  const body = { ...about, event: { ...event, forced: false, sender: 'bob' } };
  const handle = await workflow.start(WORKFLOW.intake, {
    workflowId: 'delivery/forged',
    taskQueue: CONTROL_QUEUE,
    args: [{ body, signature: '' }],
  });
  const reason: unknown = await handle.result().catch((error: unknown) => error);
  return { failure: rootCause(reason instanceof WorkflowFailedError ? reason.cause : reason) };
}

async function pidsWith(setting: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = `NEREID_CONFIG=${terrain.stack.folders.top}`;
  const each = await Promise.all(pids.map(async (pid) => ({ pid, text: await environmentOf(pid) })));
  return each.filter(({ text }) => text.includes(setting) && text.includes(own)).map(({ pid }) => pid);
}

/** Also those of all processes that these have started. */
async function environmentsWith(setting: string): Promise<readonly string[]> {
  const found = [...(await pidsWith(setting))];
  for (const pid of found) found.push(...(await childrenOf(pid)).filter((child) => !found.includes(child)));
  return Promise.all(found.map((pid) => environmentOf(pid)));
}

async function childrenOf(pid: string): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean);
}

/** Empty when the process is gone. */
function environmentOf(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
}

/** Which of the secrets are named, by their files. */
function namesIn(environments: readonly string[]): readonly string[] {
  return SECRETS.filter((name) => environments.some((text) => text.includes(`/${name}`)));
}

/** Which of the secrets are in the files, by name; `token` for those of GitHub. */
async function secretsIn(files: readonly string[]): Promise<readonly string[]> {
  const { secrets } = terrain.stack.folders;
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  const has = (text: string) => texts.some((each) => each.includes(text));
  const keys = await Promise.all(
    SECRETS.map(async (name) => (has(bodyOf(await readFile(path.join(secrets, name), 'utf8'))) ? [name] : [])),
  );
  return [...keys.flat(), ...(has('ghs_') || has('x-access-token') ? ['token'] : [])];
}

/** The first line of a key in a PEM, or the secret itself. */
function bodyOf(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  return String(lines.find((line) => line.length > 20));
}

/** Folders of an ended deployment go while they are listed: then once more. */
async function filesIn(folder: string): Promise<readonly string[]> {
  for (;;) {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

function logOf(worker: typeof SECOND_WORKER): Promise<string> {
  return readFile(path.join(terrain.stack.folders.logs, `${worker}.log`), 'utf8');
}
