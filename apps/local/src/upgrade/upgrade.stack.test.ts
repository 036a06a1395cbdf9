/** All processes are upgraded to this checkout while a review is open and a merge waits behind it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UNSEALED } from '@nereid/process';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { replayHistories } from '@nereid/test-kit/replay';
import path from 'node:path';
import { createOneRoot, type OneRoot } from '../stack/one-root.ts';
import { findEarlier, unpackEarlier } from './earlier.ts';
import { APP_NAMES } from '../stack/processes.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { openClient } from '../story/workflows.ts';

const DEADLINE_MS = 120_000;

const earlier = await findEarlier(process.env);

const folder = folderOfThisFile();
let stack: Stack;
let root: OneRoot;

beforeAll(async () => {
  stack = await startStack({
    env: process.env,
    folder: path.join(folder, 'stack'),
    ports: 'free',
    storage: 'folder',
    report: () => undefined,
    restarts: 1,
    repositories: [{ match: 'acme/upgraded' }],
    earlier: await unpackEarlier(earlier, path.join(folder, 'earlier')),
  });
  root = await createOneRoot(stack, 'upgraded', DEADLINE_MS);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test(`a plan of ${earlier.what} is confirmed and applied after the upgrade, and so is the merge behind it`, async () => {
  const first = await root.merge('a');
  const planned = await root.planned(first);
  const second = await root.merge('b');
  const before = await currentVersion();

  for (const name of APP_NAMES) await stack.upgrade(name);
  root.confirm(planned);

  const applied = await root.applied(first);
  expect(applied.output.title).toMatch(/^Applied: 1 added/);
  root.confirm(await root.planned(second));
  const next = await root.applied(second);
  expect(next.output.title).toMatch(/^Applied: 1 added/);
  expect(before).toMatch(/^0\.0\.0-earlier-/);
  expect(await currentVersion()).not.toBe(before);
});

test('this code replays what the earlier one began', async () => {
  const { workflows, failures } = await replayHistories(stack.temporalAddress, UNSEALED);

  expect(failures).toEqual([]);
  expect(workflows).toBeGreaterThan(2);
});

/** To which Temporal gives workflows. */
async function currentVersion(): Promise<string> {
  const client = await openClient(stack);
  const { workerDeploymentInfo } = await client.workflowService.describeWorkerDeployment({
    namespace: 'default',
    deploymentName: 'nereid',
  });
  await client.connection.close();
  return workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? '';
}
