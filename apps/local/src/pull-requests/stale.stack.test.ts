/** Plans of pull requests that are out of date, where that blocks: after a merge, and after a change of the state from outside. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { ensureSample, SAMPLE_NAME } from '../sample/repository.ts';
import type { Stack } from '../stack/stack.ts';
import { startTemporaryStack } from '../stack/testing/temporary-stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startTemporaryStack({
    plansPullRequests: true,
    // The sample's own entry goes first, and sets nothing of this.
    repositories: [{ match: 'acme/*', stale: 'block' }],
  });
  await ensureSample(stack.github);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`;

/** A pull request with a file of its own in the root. */
async function open(rootName: string, name: string) {
  const commit = { repository: SAMPLE_NAME, branch: name, message: name, author: 'bob' };
  const sha = await stack.github.commit({ ...commit, files: { [`${rootName}/${name}.tf`]: resource(name) } });
  const request = { repository: SAMPLE_NAME, head: name, title: name, author: 'bob' };
  const { number } = await stack.github.openPullRequest(request);
  return { number, sha };
}

/** The newest check run of this name on the commit, once it is so. */
async function shown(name: string, sha: string, isSo: (run: Readonly<CheckRun>) => boolean) {
  let found: Readonly<CheckRun> | undefined;
  const runs = () => stack.github.checkRuns(SAMPLE_NAME).filter((run) => run.name === name && run.headSha === sha);
  await until(
    `another ${name} on ${sha}`,
    () => {
      [found] = runs().toSorted((one, other) => other.id - one.id);
      return Promise.resolve(found !== undefined && isSo(found));
    },
    () => JSON.stringify([found?.id, found?.conclusion, found?.output.title]),
  );
  if (found === undefined) throw new Error(`expected ${name}`);
  return found;
}

const isPlanned = ({ conclusion, output }: Readonly<CheckRun>) =>
  conclusion === 'success' && output.title?.startsWith('Plan: 1 to add') === true;

test('a pull request is blocked from the merge of its root on, until that was deployed and its own was planned again', async () => {
  const { sha } = await open('database', 'later');
  await shown('nereid/plan', sha, ({ conclusion }) => conclusion === 'success');
  const files = { 'database/first.tf': resource('first') };
  const merged = await stack.github.commit({
    ...{ repository: SAMPLE_NAME, branch: 'main', files, message: 'first', author: 'bob' },
  });

  const title = `Out of date: ${merged.slice(0, 7)} was merged, planned again after its deployment`;
  const outdated = await shown('nereid/plan', sha, ({ output }) => output.title === title);
  const deployment = await shown('nereid/deploy: database', merged, ({ actions }) => actions.length > 0);
  const confirm = deployment.actions.find(({ label }) => label === 'Confirm')?.identifier ?? '';
  stack.github.pressButton(deployment.id, confirm, 'alice');

  expect(outdated.conclusion).toBe('failure');
  await shown('nereid/plan', sha, isPlanned);
});

test('a state that changed outside has the other pull requests of its root planned again', async () => {
  const one = await open('network', 'one');
  const other = await open('network', 'other');
  const isSuccess = ({ conclusion }: Readonly<CheckRun>) => conclusion === 'success';
  await shown('nereid/plan', one.sha, isSuccess);
  await shown('nereid/plan', other.sha, isSuccess);
  const { id } = await shown('nereid/plan: network', other.sha, isSuccess);
  const state = {
    version: 4,
    terraform_version: '1.11.4',
    serial: 7,
    lineage: randomUUID(),
    outputs: {},
    resources: [],
  };
  await writeFile(path.join(stack.folders.state, 'network.tfstate'), JSON.stringify(state));

  stack.github.comment({ repository: SAMPLE_NAME, number: one.number }, 'alice', 'nereid plan');

  await shown('nereid/plan: network', other.sha, (run) => run.id !== id && isSuccess(run));
  await shown('nereid/plan', other.sha, isSuccess);
});
