import { afterEach, describe, expect, test } from '@jest/globals';
import { GitHubRefusedError, GitHubShutOutError } from '../errors.ts';
import { closeAll, isCompare, REPOSITORY, startGitHub, status, type Received } from '../fixtures/fake-github.ts';

afterEach(closeAll);

/** Messages and records have that of `REPOSITORY`. */
const NEW_NUMBER = 500;

const ahead = status(200, { status: 'ahead' });
const asksForNumber = ({ url }: Received) => url.endsWith('/repos/acme/infra/installation');

describe('an App that was installed anew', () => {
  test('acts in the repositories of messages that have the old number, which GitHub is asked for once', async () => {
    const { github, requests, tokens } = await startGitHub(
      (request) => (asksForNumber(request) ? status(200, { id: NEW_NUMBER }) : ahead),
      { installationId: NEW_NUMBER },
    );

    expect(await github.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
    expect(await github.compare(REPOSITORY, 'a', 'c')).toBe('ahead');
    expect(await github.installationToken(REPOSITORY, { contents: 'read' })).toMatchObject({ value: /^token-/ });

    expect(requests.filter(asksForNumber)).toHaveLength(1);
    expect(tokens.filter(({ url }) => url.includes(`/${REPOSITORY.installationId}/`))).toHaveLength(1);
  });

  test('makes a token for git, and lists its repositories', async () => {
    const listed = { repositories: [{ owner: { login: 'acme' }, name: 'infra', default_branch: 'main' }] };
    const { github, tokens } = await startGitHub(
      (request) => (asksForNumber(request) ? status(200, { id: NEW_NUMBER }) : status(200, listed)),
      { installationId: NEW_NUMBER },
    );

    await github.installationToken(REPOSITORY, { contents: 'read' });

    expect(tokens.at(-1)?.url).toContain(`/${NEW_NUMBER}/`);
    expect(await github.installations.repositoriesOf(REPOSITORY)).toHaveLength(1);
  });

  test('does so, too, while it still has a token of the old installation', async () => {
    let isAnew = false;
    const { github } = await startGitHub(({ url, headers }) => {
      if (url.endsWith('/installation')) return status(200, { id: NEW_NUMBER });
      if (!isAnew) return ahead;
      oldToken ??= headers.authorization;
      return headers.authorization === oldToken ? status(401, { message: 'Bad credentials' }) : ahead;
    });
    let oldToken: string | undefined;
    await github.compare(REPOSITORY, 'a', 'b');
    isAnew = true;

    expect(await github.compare(REPOSITORY, 'a', 'c')).toBe('ahead');
  });
});

describe('an App that may do nothing', () => {
  test('because it is not installed says nothing about what it asks for, and asks for its number now and then', async () => {
    const { github, requests } = await startGitHub(() => status(404, { message: 'Not Found' }), { installationId: 1 });

    const comparisons = Array.from({ length: 20 }, (_none, index) => github.compare(REPOSITORY, 'a', `b${index}`));

    for (const comparison of await Promise.allSettled(comparisons))
      expect(comparison).toMatchObject({
        reason: { name: 'GitHubShutOutError', status: 404, message: expect.stringContaining('install the App there') },
      });
    expect(requests.filter(asksForNumber)).toHaveLength(1);
    expect(requests.filter(isCompare)).toHaveLength(0);
  });

  test.each([
    [401, 'Bad credentials', 'check the App'],
    [403, 'This installation has been suspended', 'unsuspend the App'],
  ])('because of %i (%s) may do it again later', async (code, message, advice) => {
    const { github } = await startGitHub(() => status(code, { message }));

    const failure = github.compare(REPOSITORY, 'a', 'b');

    await expect(failure).rejects.toThrow(GitHubShutOutError);
    await expect(failure).rejects.toThrow(advice);
  });

  test('for lack of one permission is refused', async () => {
    const { github } = await startGitHub(() => status(403, { message: 'Resource not accessible by integration' }));

    await expect(github.compare(REPOSITORY, 'a', 'b')).rejects.toThrow(GitHubRefusedError);
  });
});
