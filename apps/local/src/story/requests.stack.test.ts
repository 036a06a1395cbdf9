/** What deployments ask of GitHub where nobody has configured a gate, on real parts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOneRoot } from '../stack/one-root.ts';
import type { Stack } from '../stack/stack.ts';
import { startTemporaryStack } from '../stack/testing/temporary-stack.ts';

const DEADLINE_MS = 120_000;

/**
 * The first deployment also asks what is remembered afterwards. Where the machine stands still, a check run is looked for after its
 * write, and the reconciler may ask meanwhile: neither happens each time.
 */
const TRIES = 10;

const CREATED = 'POST /repos/{owner}/{repo}/check-runs';
const UPDATED = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}';

let stack: Stack;

beforeAll(async () => {
  const repositories = [{ match: 'acme/quick', plan_review: 'auto' }, { match: 'acme/asked' }];
  stack = await startTemporaryStack({ repositories });
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a deployment that nobody has to confirm asks GitHub twice: for its first check run, and for its end', async () => {
  const root = await createOneRoot(stack, 'quick', DEADLINE_MS);

  const asked = await fewestRequests(2, async (name) => {
    await root.applied(await root.merge(name));
  });

  expect(asked).toEqual([UPDATED, CREATED]);
});

test('a deployment with a review asks GitHub four times: for the review as well, and whether the person may confirm', async () => {
  const root = await createOneRoot(stack, 'asked', DEADLINE_MS);

  const asked = await fewestRequests(4, async (name) => {
    const sha = await root.merge(name);
    root.confirm(await root.planned(sha));
    await root.applied(sha);
  });

  expect(asked).toEqual(['GET /repos/{owner}/{repo}/collaborators/{username}/permission', UPDATED, UPDATED, CREATED]);
});

/** Of several deployments of one root, until one asks no more often than that. */
async function fewestRequests(count: number, deploy: (name: string) => Promise<void>): Promise<readonly string[]> {
  const asked: (readonly string[])[] = [];
  while (asked.length < TRIES && !asked.some(({ length }) => length <= count)) {
    stack.github.resetTraffic();
    await deploy(`change-${asked.length}`);
    asked.push(listRequests());
  }
  return asked.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

/** To the API, sorted. */
function listRequests(): readonly string[] {
  const counts = stack.github.requestCounts().filter(({ route }) => !route.startsWith('git '));
  return counts.flatMap(({ route, count }) => Array<string>(count).fill(route)).toSorted();
}
