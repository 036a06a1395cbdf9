/** Somebody removes our App from the account and installs it again, while a review is open and a lane runs. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOneRoot, type OneRoot } from './stack/one-root.ts';
import type { Stack } from './stack/stack.ts';
import { startTemporaryStack } from './stack/testing/temporary-stack.ts';

/** It takes seconds; only what hangs takes minutes. */
const DEADLINE_MS = 180_000;

let stack: Stack;
let root: OneRoot;

beforeAll(async () => {
  stack = await startTemporaryStack({
    repositories: [{ match: 'acme/anew' }],
  });
  root = await createOneRoot(stack, 'anew', DEADLINE_MS);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a plan that waits is confirmed and applied, and so is the next merge in the same lane', async () => {
  const waiting = await root.merge('a');
  const planned = await root.planned(waiting);

  stack.github.reinstallApp('acme');
  root.confirm(planned);

  await root.applied(waiting);
  const next = await root.merge('b');
  root.confirm(await root.planned(next));
  const applied = await root.applied(next);
  expect(applied.output.title).toMatch(/^Applied: /);
});
