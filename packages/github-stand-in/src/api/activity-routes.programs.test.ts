import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';
import { at } from '../fixtures/at.ts';

let world: AGitHub;

beforeEach(async () => {
  world = await aGitHub();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const PATH = `/repos/${REPOSITORY}/activity`;
const NEVER = '0'.repeat(40);

async function activities(query: string): Promise<unknown> {
  return (await world.api('GET', `${PATH}?${query}`)).body;
}

function commit(branch: string, path: string): Promise<string> {
  return world.github.commit({ repository: REPOSITORY, branch, files: { [path]: '' }, message: 'A', author: 'wim' });
}

test('lists the moves of a branch, newest first, with who moved it', async () => {
  const first = await commit('feature', 'a.tf');
  await commit('other', 'b.tf');
  const second = await commit('feature', 'c.tf');
  await world.github.forcePush({ repository: REPOSITORY, branch: 'feature', to: first, by: 'ada' });

  expect(await activities('ref=refs/heads/feature')).toMatchObject([
    { before: second, after: first, activity_type: 'force_push', actor: { login: 'ada' } },
    { before: first, after: second, activity_type: 'push', actor: { login: 'wim' } },
    { before: NEVER, after: first, activity_type: 'branch_creation', ref: 'refs/heads/feature' },
  ]);
  expect(await activities('ref=feature&per_page=1')).toMatchObject([{ after: first }]);
});

test('tells a merge of a pull request, and a deleted branch', async () => {
  const head = await commit('feature', 'a.tf');
  const input = { repository: REPOSITORY, title: 'A', head: 'feature', author: 'wim' };
  const { number } = await world.github.openPullRequest(input);
  const merge = { kind: 'merge', by: 'ada', deleteBranch: true } as const;
  const merged = await world.github.mergePullRequest({ repository: REPOSITORY, number }, merge);

  expect(await activities('per_page=2')).toMatchObject([
    { activity_type: 'branch_deletion', before: head, after: NEVER },
    { activity_type: 'pr_merge', after: merged },
  ]);
});

test('goes on after the last one of a page', async () => {
  const [first, second] = [await commit('feature', 'a.tf'), await commit('feature', 'b.tf')];

  const page = await world.api('GET', `${PATH}?ref=feature&per_page=1`);
  const next = /after=(\d+)/.exec(page.headers.get('link') ?? '')?.[1] ?? '';

  expect(page.body).toMatchObject([{ after: second }]);
  expect(await activities(`ref=feature&per_page=1&after=${next}`)).toMatchObject([{ after: first }]);
});

test('a comment and the pushes to its branch each have a second of their own', async () => {
  await commit('feature', 'a.tf');
  const input = { repository: REPOSITORY, title: 'A', head: 'feature', author: 'wim' };
  const { number } = await world.github.openPullRequest(input);
  const { createdAt } = world.github.comment({ repository: REPOSITORY, number }, 'wim', 'Hello');
  await commit('feature', 'b.tf');

  const listed = await activities('ref=feature');
  const [after, before] = [0, 1].map((index) => String(at(listed, index, 'timestamp')));

  expect([before, createdAt, after].toSorted()).toEqual([before, createdAt, after]);
  expect(new Set([before, createdAt, after]).size).toBe(3);
});
