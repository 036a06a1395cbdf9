/** Policies: a plan that one denies fails on a pull request, and is applied only after an owner has overridden it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CheckRun } from '@nereid/github-stand-in';
import { findConftest } from '@nereid/test-kit';
import { folderOfThisFile } from '@nereid/test-kit/folders';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../faults/terrain.ts';
import { ensureSample, SAMPLE_NAME } from '../sample/repository.ts';
import { startStack, type Stack } from '../stack/stack.ts';

/** In the old Rego, as in the docs of Atlantis. */
const REGO = `package main

deny[msg] {
  created := [name | res := input.resource_changes[_]; res.change.actions[_] == "create"; name := res.address]
  count([name | name := created[_]; contains(name, "forbidden")]) > 0
  msg := "no resource may be called forbidden"
}
`;

const folder = folderOfThisFile();
let stack: Stack;

beforeAll(async () => {
  const source = path.join(folder, 'names');
  await mkdir(source);
  await writeFile(path.join(source, 'names.rego'), REGO);
  const report = () => undefined;
  const conftest = await findConftest(process.env, report);
  stack = await startStack({
    env: { ...process.env, PATH: [path.dirname(conftest), process.env['PATH']].join(path.delimiter) },
    folder: path.join(folder, 'stack'),
    ports: 'free',
    storage: 'folder',
    report,
    plansPullRequests: true,
    policies: [{ name: 'names', source, enforce: 'required', owners: { users: ['bob'] }, roots: ['network'] }],
  });
  await ensureSample(stack.github);
}, 25 * 60_000);

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a denied plan fails on its pull request, and waits for an owner, then for its review, after the merge', async () => {
  const { github } = stack;
  const files = { 'network/forbidden.tf': 'resource "terraform_data" "forbidden" {}\n' };
  const head = await github.commit({
    repository: SAMPLE_NAME,
    branch: 'change',
    files,
    message: 'change',
    author: 'bob',
  });
  const { number } = await github.openPullRequest({
    repository: SAMPLE_NAME,
    head: 'change',
    title: 'A change',
    author: 'bob',
  });
  const preview = await shown('nereid/plan: network', head, ({ conclusion }) => conclusion === 'failure');
  const all = await shown('nereid/plan', head, ({ conclusion }) => conclusion === 'failure');

  expect(preview).toMatchObject({
    actions: [],
    output: { title: 'Policy names denies: no resource may be called forbidden' },
  });
  expect(preview.output.summary).toContain('Nobody can override a preview');
  expect(all.output.title).toContain('Policy names denies');

  const sha = await github.mergePullRequest({ repository: SAMPLE_NAME, number }, { kind: 'merge', by: 'carol' });
  const denied = await shown('nereid/deploy: network', sha, has('Override Reject'));
  expect(denied.output.title).toBe('Policy names denies: no resource may be called forbidden');

  press(denied, 'Override', 'alice');
  const refused = await shown('nereid/deploy: network', sha, says('names takes bob'));
  expect(labelsOf(refused)).toBe('Override Reject');

  press(refused, 'Override', 'bob');
  const waiting = await shown('nereid/deploy: network', sha, has('Confirm Reject'));
  expect(waiting.output.summary).toContain('Overridden by @bob');

  press(waiting, 'Confirm', 'alice');
  const applied = await shown('nereid/deploy: network', sha, ({ conclusion }) => conclusion === 'success');
  expect(applied.output.title).toMatch(/^Applied: /);
  // People have their answer before it is in the audit trail.
  await until('both presses to be in the audit trail', async () => (await trailOf('override')).length >= 2);
  expect(await trailOf('override')).toEqual([
    expect.objectContaining({ state: 'REFUSED', initiatingUser: 'alice' }),
    expect.objectContaining({ state: 'REVIEWED', initiatingUser: 'bob', policies: ['names'] }),
  ]);
});

function press(run: Readonly<CheckRun>, label: string, by: string): void {
  const button = run.actions.find((action) => action.label === label);
  if (button === undefined) throw new Error(`expected a button ${label}, found ${labelsOf(run)}`);
  stack.github.pressButton(run.id, button.identifier, by);
}

const labelsOf = (run: Readonly<CheckRun>) => run.actions.map(({ label }) => label).join(' ');
const has = (labels: string) => (run: Readonly<CheckRun>) => labelsOf(run) === labels;
const says = (text: string) => (run: Readonly<CheckRun>) => run.output.summary?.includes(text) === true;

/** The newest check run of this name on the commit, once this is so of it. */
async function shown(
  name: string,
  sha: string,
  isSo: (run: Readonly<CheckRun>) => boolean,
): Promise<Readonly<CheckRun>> {
  const newest = () =>
    stack.github
      .checkRuns(SAMPLE_NAME)
      .filter((run) => run.name === name && run.headSha === sha)
      .toSorted((one, other) => other.id - one.id)[0];
  let found: Readonly<CheckRun> | undefined;
  await until(
    `another ${name} on ${sha}`,
    async () => {
      found = newest();
      return found !== undefined && isSo(found);
    },
    () => JSON.stringify(newest()),
  );
  if (found === undefined) throw new Error(`expected ${name}`);
  return found;
}

/** The events of this action in the audit trail. */
async function trailOf(action: string): Promise<readonly unknown[]> {
  const events = await stack.storage.auditTrail();
  return events.filter((event) => 'action' in event && event.action === action);
}
