import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Repositories } from '@nereid/forge';
import type { Octokit } from '@octokit/core';
import { createRepositories } from './repositories.ts';

const INFRA = { owner: 'acme', name: 'infra', installationId: 1 };
const OTHER = { ...INFRA, name: 'other' };
const FIVE_MINUTES = 300_000;

let now: number;
/** GitHub's answer; an error when it does not answer. */
let answer: object;
let asked: number;
let repositories: Pick<Repositories, 'isPublic'>;

beforeEach(() => {
  now = 1_000;
  answer = { private: true };
  asked = 0;
  const octokit = { request: () => Promise.resolve({ data: answer }) } as unknown as Octokit;
  repositories = createRepositories(
    {
      ask: (_installation, _what, conversation) => {
        asked += 1;
        return answer instanceof Error ? Promise.reject(answer) : conversation(octokit);
      },
    },
    { now: () => now },
  );
});

describe('whether a repository is public', () => {
  test.each([
    ['a public one is', { private: false, visibility: 'public' }, true],
    ['a private one is not', { private: true, visibility: 'private' }, false],
    ['one that only the company sees is not', { private: true, visibility: 'internal' }, false],
    ['one of which GitHub does not say it is', {}, true],
  ])('of repositories, %s public', async (_which, answered, expected) => {
    answer = answered;

    expect(await repositories.isPublic(INFRA)).toBe(expected);
  });

  test('is asked once in five minutes, for each repository', async () => {
    await Promise.all([repositories.isPublic(INFRA), repositories.isPublic(INFRA), repositories.isPublic(OTHER)]);
    now += FIVE_MINUTES - 1;
    await repositories.isPublic(INFRA);

    expect(asked).toBe(2);
  });

  test('is asked again after five minutes: it may have been made public', async () => {
    await repositories.isPublic(INFRA);
    answer = { private: false };
    now += FIVE_MINUTES + 1;

    expect(await repositories.isPublic(INFRA)).toBe(true);
  });

  test('is asked again after GitHub did not answer', async () => {
    answer = new Error('GitHub is away');
    await expect(repositories.isPublic(INFRA)).rejects.toThrow('GitHub is away');
    answer = { private: true };

    expect(await repositories.isPublic(INFRA)).toBe(false);
  });
});
