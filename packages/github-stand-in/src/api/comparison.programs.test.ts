import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aGitHub, REPOSITORY, type AGitHub } from '../fixtures/a-github.ts';

let world: AGitHub;
let first: string;
let second: string;
let aside: string;

beforeAll(async () => {
  world = await aGitHub();
  first = await world.github.headOf(REPOSITORY);
  second = await commit('main', 'second');
  aside = await commit('aside', 'aside', first);
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const commit = (branch: string, message: string, createFrom?: string) =>
  world.github.commit({
    repository: REPOSITORY,
    branch,
    files: { [`${message}.tf`]: message },
    message,
    author: 'wim',
    ...(createFrom === undefined ? {} : { createFrom }),
  });

const compare = async (basehead: string) => world.api('GET', `/repos/${REPOSITORY}/compare/${basehead}`);

describe('a comparison is', () => {
  test('identical with itself', async () => {
    expect((await compare(`${second}...main`)).body).toMatchObject({ status: 'identical', ahead_by: 0, behind_by: 0 });
  });

  test('ahead of an ancestor, with the commits and files between', async () => {
    expect((await compare(`${first}...${second}`)).body).toMatchObject({
      status: 'ahead',
      ahead_by: 1,
      behind_by: 0,
      merge_base_commit: { sha: first },
      commits: [{ sha: second, author: { login: 'wim' } }],
      files: [{ filename: 'second.tf', status: 'added', additions: 1 }],
    });
  });

  test('behind a descendant', async () => {
    expect((await compare(`${second}...${first}`)).body).toMatchObject({ status: 'behind', behind_by: 1, commits: [] });
  });

  test('diverged from a sibling', async () => {
    expect((await compare(`${second}...${aside}`)).body).toMatchObject({
      status: 'diverged',
      ahead_by: 1,
      behind_by: 1,
      merge_base_commit: { sha: first },
    });
  });

  test('not found when a side is gone', async () => {
    expect((await compare(`${first}...${'0'.repeat(39)}1`)).status).toBe(404);
  });
});

test('what is asked for again and has not changed is answered with 304 and costs nothing', async () => {
  const path = `/repos/${REPOSITORY}/branches/main`;
  const { headers } = await world.api('GET', path);

  const again = await world.api('GET', path, undefined, { headers: { 'if-none-match': headers.get('etag') } });

  expect(again.status).toBe(304);
  expect(again.headers.get('x-ratelimit-remaining')).toBe(headers.get('x-ratelimit-remaining'));
});

test('requests are counted by route and status', async () => {
  world.github.resetTraffic();

  await compare(`${first}...${second}`);
  await compare(`${first}...${aside}`);

  expect(world.github.requestCounts()).toEqual([
    { route: 'GET /repos/{owner}/{repo}/compare/{basehead}', status: 200, count: 2 },
  ]);
});
