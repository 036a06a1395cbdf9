import { afterEach, describe, expect, test } from '@jest/globals';
import { createNumbers } from './installation-numbers.ts';
import { GitHubRefusedError, GitHubShutOutError } from '../errors.ts';
import { closeAll, isCompare, REPOSITORY, startGitHub, status, type Received } from '../fixtures/fake-github.ts';

afterEach(closeAll);

type App = Parameters<typeof createNumbers>[0];

/** Messages and records have that of `REPOSITORY`. */
const NEW_NUMBER = 500;

const ahead = status(200, { status: 'ahead' });
const asksForNumber = ({ url }: Received) => url.endsWith('/repos/acme/infra/installation');

describe('an App that was installed again', () => {
  test('acts in the repositories of messages that have the old number, which GitHub is asked for once', async () => {
    const { github, requests, tokens } = await startGitHub(
      (request) => (asksForNumber(request) ? status(200, { id: NEW_NUMBER, account: { login: 'Acme' } }) : ahead),
      { installationId: NEW_NUMBER },
    );

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
    expect(await github.commits.compare(REPOSITORY, 'a', 'c')).toBe('ahead');
    expect(await github.readToken(REPOSITORY)).toMatchObject({ value: /^token-/ });

    expect(requests.filter(asksForNumber)).toHaveLength(1);
    expect(tokens.filter(({ url }) => url.includes(`/${REPOSITORY.installationId}/`))).toHaveLength(1);
  });

  test('makes a token for git, and lists its repositories', async () => {
    const listed = { repositories: [{ owner: { login: 'acme' }, name: 'infra', default_branch: 'main' }] };
    const { github, tokens } = await startGitHub(
      (request) =>
        asksForNumber(request) ? status(200, { id: NEW_NUMBER, account: { login: 'Acme' } }) : status(200, listed),
      { installationId: NEW_NUMBER },
    );

    await github.readToken(REPOSITORY);

    expect(tokens.at(-1)?.url).toContain(`/${NEW_NUMBER}/`);
    expect(await github.repositories.allBeside(REPOSITORY)).toHaveLength(1);
  });
});

test('a repository that now belongs to somebody else is not acted in as their installation', async () => {
  const { github } = await startGitHub(
    (request) => (asksForNumber(request) ? status(200, { id: NEW_NUMBER, account: { login: 'other' } }) : ahead),
    { installationId: NEW_NUMBER },
  );

  await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toThrow(GitHubShutOutError);
});

test('an App that is not installed for a while is found when it is back, however often something fails meanwhile', async () => {
  const github: { nowMs: number; number?: number } = { nowMs: 1, number: REPOSITORY.installationId };
  const request = () => Promise.resolve({ data: { id: github.number, account: { login: 'acme' } } });
  const numbers = createNumbers({ request } as unknown as App, { now: () => github.nowMs }); // It asks nothing else.
  const act = async (number: number) => {
    if (number === github.number) return 'done';
    throw Object.assign(new Error('Bad credentials'), { name: 'HttpError', status: 401 });
  };
  const outcomes: string[] = [];
  const actAgain = async () => {
    github.nowMs += 5_000;
    outcomes.push(await numbers.with(REPOSITORY, act).catch(() => 'refused'));
  };

  await actAgain();
  delete github.number;
  for (let tries = 0; tries < 20; tries += 1) await actAgain();
  github.number = NEW_NUMBER;
  for (let tries = 0; tries < 7; tries += 1) await actAgain();

  expect([outcomes.at(0), outcomes.at(20), outcomes.at(-1)]).toEqual(['done', 'refused', 'done']);
});

describe('an App that may do nothing', () => {
  test('because it is not installed says nothing about what it asks for, and asks for its number now and then', async () => {
    const { github, requests } = await startGitHub(() => status(404, { message: 'Not Found' }), { installationId: 1 });

    const comparisons = Array.from({ length: 20 }, (_none, index) =>
      github.commits.compare(REPOSITORY, 'a', `b${index}`),
    );

    for (const comparison of await Promise.allSettled(comparisons))
      expect(comparison).toMatchObject({
        reason: { name: 'GitHubShutOutError', status: 404, message: expect.stringContaining('install the App there') },
      });
    expect(requests.filter(asksForNumber)).toHaveLength(1);
    expect(requests.filter(isCompare)).toHaveLength(0);
  });

  test('because it is suspended may do it again later', async () => {
    const { github } = await startGitHub(() => status(403, { message: 'This installation has been suspended' }));

    const failure = github.commits.compare(REPOSITORY, 'a', 'b');

    await expect(failure).rejects.toThrow(GitHubShutOutError);
    await expect(failure).rejects.toThrow('unsuspend the App');
  });

  test('for lack of one permission is refused', async () => {
    const { github } = await startGitHub(() => status(403, { message: 'Resource not accessible by integration' }));

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toThrow(GitHubRefusedError);
  });
});
