/** The worker in a container: its first process is init.sh, and the container ends with that. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONTAINER, pidsOf } from './container.ts';
import { openTerrain, until, type Terrain } from './terrain.ts';

jest.setTimeout(300_000);

let terrain: Terrain;

beforeAll(async () => {
  terrain = await openTerrain(process.env, { launchers: { worker: CONTAINER } });
});

afterAll(() => terrain.closeGenuine());

const STARTED_AGAIN = 'the worker ended while it applied; it is started again';

/** The lines of the log in which the container says that it started the worker again. */
async function startedAgain(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const log = await readFile(path.join(terrain.stack.folders.logs, 'worker.log'), 'utf8');
  const lines = log.split('\n').filter((line) => line.includes(STARTED_AGAIN));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('node that is killed alone, twice, costs an apply nothing: its container starts it again, which tells its end', async () => {
  const sha = await terrain.push('network', 'node-alone', { isHeld: true });
  await terrain.confirm('network', sha);
  await terrain.applyBegins('node-alone');
  const before = await pidsOf(terrain.stack);

  for (const times of [1, 2]) {
    process.kill((await pidsOf(terrain.stack)).node, 'SIGKILL');
    await until('the container to say so', async () => (await startedAgain()).length === times);
    await until('another node', () =>
      pidsOf(terrain.stack).then(
        () => true,
        () => false,
      ),
    );
  }
  await terrain.letEnd('node-alone');

  const { externalId } = await terrain.applied('network', sha);
  const after = await pidsOf(terrain.stack);
  expect(after.init).toBe(before.init);
  expect(after.node).not.toBe(before.node);
  expect((await terrain.ledger()).filter((entry) => entry === 'node-alone')).toEqual(['node-alone']);
  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
  const told = { app: 'worker', exitCode: 137, deployments: [externalId] };
  expect(await startedAgain()).toEqual([expect.objectContaining(told), expect.objectContaining(told)]);
});

test('a container that is stopped lets the apply end that runs, and the next one goes on', async () => {
  const sha = await terrain.push('network', 'stopped', { applySeconds: 3 });
  await terrain.confirm('network', sha);
  await terrain.applyBegins('stopped');
  const before = await pidsOf(terrain.stack);

  await terrain.stack.restart('worker');

  const { externalId } = await terrain.applied('network', sha);
  expect((await pidsOf(terrain.stack)).init).not.toBe(before.init);
  expect((await terrain.ledger()).filter((entry) => entry === 'stopped')).toEqual(['stopped']);
  await terrain.isAudited(externalId, ['RUNNING', 'SUCCESS']);
});
