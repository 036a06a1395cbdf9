/** How often GitHub is written to about a merge of many roots, on real parts: it gives everybody a budget. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLLOUT_CHECK_RUN_NAME } from '@nereid/domain/deployment';
import { WRITES_LIMIT } from '@nereid/domain/rollout';
import path from 'node:path';
import type { Stack } from '../stack/stack.ts';
import { startTemporaryStack } from '../stack/testing/temporary-stack.ts';

const REPOSITORY = { owner: 'acme', name: 'fleet' } as const;
const NAME = `${REPOSITORY.owner}/${REPOSITORY.name}`;

/** Together, more than fifty: a merge of fewer roots shows each of them all the time. */
const UNASKED = namesOf('free', 26);
const ASKED = namesOf('watched', 26);

/** What hangs, ends the test. */
const DEADLINE_MS = 900_000;

let stack: Stack;

beforeAll(async () => {
  stack = await startTemporaryStack({
    repositories: [{ match: NAME, plan_review: 'required', roots: { 'free-*': { plan_review: 'auto' } } }],
  });
  const files = Object.fromEntries([...UNASKED, ...ASKED].map((name) => [`${name}/main.tf`, mainOf(name)]));
  await stack.github.createRepository({ ...REPOSITORY, files, collaborators: { alice: 'admin' } });
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

function namesOf(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${index}`);
}

function mainOf(name: string): string {
  const state = path.join(stack.folders.state, `${name}.tfstate`);
  return `terraform {\n  backend "local" {\n    path = "${state}"\n  }\n}\n`;
}

test('a root of many is written once, twice where a person has to confirm, and their rollout a bounded number of times', async () => {
  const { github } = stack;
  github.resetTraffic();
  const sha = await github.commit({
    repository: NAME,
    branch: 'main',
    files: Object.fromEntries(
      [...UNASKED, ...ASKED].map((name) => [`${name}/new.tf`, 'resource "terraform_data" "new" {}\n']),
    ),
    message: 'Change them all',
    author: 'alice',
  });
  const pressed = new Set<number>();
  const isDone = () => {
    const runs = github.checkRuns(NAME, sha);
    for (const { id, actions } of runs) {
      const confirm = actions.find(({ label }) => label === 'Confirm');
      if (confirm === undefined || pressed.has(id)) continue;
      pressed.add(id);
      github.pressButton(id, confirm.identifier, 'alice');
    }
    const done = runs.find(({ name, conclusion }) => name === ROLLOUT_CHECK_RUN_NAME && conclusion !== null);
    return done?.output.title ?? undefined;
  };

  const title = await github.waitFor(isDone, { what: 'the end of the rollout', deadlineMs: DEADLINE_MS });

  const isWrite = (route: string) => /^(?:POST|PATCH) .*check-runs/.test(route);
  const writes = github.requestCounts().filter(({ route }) => isWrite(route));
  const count = writes.reduce((sum, one) => sum + one.count, 0);
  expect(title).toBe('52 roots: 52 done');
  expect(pressed.size).toBe(ASKED.length);
  expect(count).toBeLessThanOrEqual(UNASKED.length + 2 * ASKED.length + WRITES_LIMIT);
});
