import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import type { PastChange } from './past-changes.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const MERGED: PastChange = {
  title: 'Add a',
  author: 'wim',
  branch: 'a',
  files: { 'network/a.tf': 'a' },
  openedAt: '2026-11-20T10:00:00.000Z',
  merged: { by: 'max', at: '2026-11-20T11:30:00.000Z' },
};
const OPEN: PastChange = {
  title: 'Add b',
  author: 'max',
  branch: 'b',
  files: { 'network/b.tf': 'b' },
  openedAt: '2026-11-21T09:00:00.000Z',
};

test('a change that was merged is the head of the default branch, with its time and its author', async () => {
  await world.github.addPastChanges(REPOSITORY, [MERGED]);

  const [pr] = world.github.pullRequests(REPOSITORY);
  const sha = await world.github.headOf(REPOSITORY);
  expect(pr).toMatchObject({ number: 1, state: 'closed', merged: { sha, by: 'max', at: '2026-11-20T11:30:00Z' } });
  const { body } = await world.api('GET', `/repos/${REPOSITORY}/commits/${sha}`);
  expect(body).toMatchObject({
    commit: { message: 'Add a (#1)', author: { name: 'wim', date: '2026-11-20T10:00:00Z' } },
    files: [{ filename: 'network/a.tf' }],
  });
});

test('one that is still open can be merged', async () => {
  await world.github.addPastChanges(REPOSITORY, [MERGED, OPEN]);
  const base = await world.github.headOf(REPOSITORY);

  expect(world.github.pullRequest({ repository: REPOSITORY, number: 2 })).toMatchObject({
    state: 'open',
    baseSha: base,
  });
  const sha = await world.github.mergePullRequest({ repository: REPOSITORY, number: 2 }, { kind: 'merge', by: 'max' });

  expect(await world.github.headOf(REPOSITORY)).toBe(sha);
});

test('nobody is told', async () => {
  await world.github.addPastChanges(REPOSITORY, [MERGED, OPEN]);

  await world.github.settled();
  expect(world.github.deliveries()).toEqual([]);
});
