import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { People } from '@nereid/forge';
import type { Octokit } from '@octokit/core';
import { closeAll, REPOSITORY, startGitHub, status, type Received } from '../fixtures/fake-github.ts';
import { GitHubRefusedError, GitHubUnavailableError } from '../errors.ts';
import { createFindReader } from './readers.ts';

const OTHER = { ...REPOSITORY, name: 'other' };
const FIVE_MINUTES = 300_000;

afterEach(closeAll);

describe('whether somebody may read a repository', () => {
  let nowMs: number;
  let visibility: string;
  let people: readonly string[];
  let asked: string[];
  let isListed: boolean;
  let findReader: People['findReader'];

  beforeEach(() => {
    [nowMs, visibility, people, asked, isListed] = [1_000, 'private', ['Ada', 'bob'], [], true];
    const answers: Readonly<Record<string, (options: { page?: number; username?: string }) => object>> = {
      'GET /repos/{owner}/{repo}': () => ({ private: visibility !== 'public', visibility }),
      'GET /repos/{owner}/{repo}/collaborators': ({ page = 1 }) => {
        if (!isListed) throw new GitHubRefusedError('GET collaborators', 403, 'Must have push access', {});
        return people.slice(100 * (page - 1), 100 * page).map((login) => ({ login }));
      },
      'GET /repos/{owner}/{repo}/collaborators/{username}/permission': ({ username = '' }) => ({
        permission: people.some((login) => login.toLowerCase() === username) ? 'read' : 'none',
      }),
    };
    const request = async (route: string, options: object) => {
      asked.push(route.split('/').at(-1) ?? '');
      return { data: answers[route]?.(options) };
    };
    const octokit = { request } as unknown as Octokit; // As far as it is used.
    findReader = createFindReader(
      { ask: (_installation, _what, conversation) => conversation(octokit) },
      { now: () => nowMs },
    );
  });

  const mayRead = async (login: string, repository = REPOSITORY) => (await findReader(repository, login)).mayRead;

  test('is asked once for all people, whatever the case of their logins', async () => {
    expect(await Promise.all(['ada', 'BOB', 'eve'].map((login) => mayRead(login)))).toEqual([true, true, false]);

    expect(asked).toEqual(['{repo}', 'collaborators']);
  });

  test('is asked again after five minutes, and an answer says how old it is', async () => {
    await findReader(REPOSITORY, 'ada');
    people = ['bob'];
    nowMs += FIVE_MINUTES - 1;
    expect(await findReader(REPOSITORY, 'ada')).toEqual({ mayRead: true, ageMs: FIVE_MINUTES - 1 });

    nowMs += 2;
    expect(await findReader(REPOSITORY, 'ada')).toEqual({ mayRead: false, ageMs: 0 });
  });

  test('is asked for each repository, and read to the end', async () => {
    people = Array.from({ length: 230 }, (_, index) => `p${index}`);

    expect([await mayRead('p229'), await mayRead('p229', OTHER), await mayRead('p230')]).toEqual([true, true, false]);
    expect(asked.filter((route) => route === 'collaborators')).toHaveLength(6);
  });

  test('is yes for everybody where everybody may', async () => {
    visibility = 'public';

    expect(await mayRead('eve')).toBe(true);
    expect(asked).toEqual(['{repo}']);
  });

  test.each<[string, () => void]>([
    ['which only the company sees', () => (visibility = 'internal')],
    ['of which GitHub lists nobody to us', () => (isListed = false)],
    [
      'that more people read than are listed',
      () => (people = ['ada', ...Array.from({ length: 999 }, (_, n) => `p${n}`)]),
    ],
  ])('is asked for each person in a repository %s', async (_what, set) => {
    set();

    expect([await mayRead('ada'), await mayRead('Ada'), await mayRead('eve')]).toEqual([true, true, false]);
    expect(asked.filter((route) => route === 'permission')).toHaveLength(2);
  });
});

describe('within GitHub’s limits', () => {
  const budget = (remaining: number) => ({
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 600),
  });
  const aGitHub = (remaining: number) =>
    startGitHub(({ url }: Received) =>
      url.endsWith('/permission')
        ? status(200, { permission: 'write' }, budget(remaining))
        : status(200, { private: false }, budget(remaining)),
    );

  test('half of an hour’s budget is kept from people who only look', async () => {
    const { github, requests } = await aGitHub(2_499);
    await github.people.findReader(REPOSITORY, 'ada');

    await expect(github.people.findReader(OTHER, 'ada')).rejects.toThrow(GitHubUnavailableError);
    expect(await github.people.permissionOf(REPOSITORY, 'ada')).toBe('write');
    expect(requests).toHaveLength(2);
  });

  test('they go on while more than half is left', async () => {
    const { github } = await aGitHub(2_500);
    await github.people.findReader(REPOSITORY, 'ada');

    expect(await github.people.findReader(OTHER, 'ada')).toMatchObject({ mayRead: true });
  });

  test('a repository that GitHub does not show is read by nobody', async () => {
    const { github } = await startGitHub(() => status(404, { message: 'Not Found' }));

    expect(await github.people.findReader(REPOSITORY, 'ada')).toMatchObject({ mayRead: false });
  });
});
