/** All processes are upgraded to this checkout while a review is open and a merge waits behind it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { UNSEALED } from '@nereid/process';
import { replayHistories } from '@nereid/test-kit/replay';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PEOPLE } from '../sample/people.ts';
import { findEarlier, unpackEarlier } from './earlier.ts';
import { APP_NAMES } from '../stack/processes.ts';
import { startStack, type Stack } from '../stack/stack.ts';
import { openClient } from '../story/workflows.ts';

const NAME = 'acme/upgraded';

const earlier = await findEarlier(process.env);

let folder: string;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nereid-upgrade-'));
  stack = await startStack({
    env: process.env,
    folder: path.join(folder, 'stack'),
    ports: 'free',
    storage: 'folder',
    report: () => undefined,
    restarts: 1,
    repositories: [{ match: NAME }],
    earlier: await unpackEarlier(earlier, path.join(folder, 'earlier')),
  });
  const state = path.join(stack.folders.state, 'upgraded.tfstate');
  const files = { 'network/main.tf': `terraform {\n  backend "local" { path = "${state}" }\n}\n` };
  await stack.github.createRepository({ owner: 'acme', name: 'upgraded', files, collaborators: PEOPLE });
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test(`a plan of ${earlier.what} is confirmed and applied after the upgrade, and so is the merge behind it`, async () => {
  const first = await merge('a');
  const planned = await shown(first, isPlanned);
  const second = await merge('b');
  const before = await currentVersion();

  for (const name of APP_NAMES) await stack.upgrade(name);
  confirm(planned);

  const applied = await shown(first, ({ conclusion }) => conclusion === 'success');
  expect(applied.output.title).toMatch(/^Applied: 1 added/);
  confirm(await shown(second, isPlanned));
  const next = await shown(second, ({ conclusion }) => conclusion === 'success');
  expect(next.output.title).toMatch(/^Applied: 1 added/);
  expect(before).toMatch(/^0\.0\.0-earlier-/);
  expect(await currentVersion()).not.toBe(before);
});

test('this code replays what the earlier one began', async () => {
  const { workflows, failures } = await replayHistories(stack.temporalAddress, UNSEALED);

  expect(failures).toEqual([]);
  expect(workflows).toBeGreaterThan(2);
});

function isPlanned({ actions }: Readonly<CheckRun>): boolean {
  return actions.some(({ label }) => label === 'Confirm');
}

function merge(name: string): Promise<string> {
  const files = { [`network/${name}.tf`]: `resource "terraform_data" "${name}" {}\n` };
  return stack.github.commit({ repository: NAME, branch: 'main', files, message: name, author: 'alice' });
}

function confirm({ id, actions }: Readonly<CheckRun>): void {
  const { identifier = '' } = actions.find(({ label }) => label === 'Confirm') ?? {};
  stack.github.pressButton(id, identifier, 'bob');
}

/** The newest check run of the root on the commit, once it is as wanted. */
function shown(sha: string, isWanted: (run: Readonly<CheckRun>) => boolean): Promise<Readonly<CheckRun>> {
  return stack.github.waitFor(() => stack.github.checkRuns(NAME, sha).find(isWanted), {
    what: `a check run on ${sha}`,
    deadlineMs: 120_000,
  });
}

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
