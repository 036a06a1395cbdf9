import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { CountedRequest } from './client/counted-requests.ts';
import { GitHubRefusedError, GitHubUnavailableError } from './errors.ts';
import { gitAuthorization } from './client/installation-token.ts';
import { closeAll, isCompare, json, REPOSITORY, startGitHub, status, type Answer } from './fixtures/fake-github.ts';

afterEach(closeAll);

/** Longer than an answer is reused. */
const LATER_MS = 600;

describe('a request that fails', () => {
  test('with a server error is made again', async () => {
    const answers = [status(502), status(200, { status: 'ahead' })];
    const { github, requests } = await startGitHub(() => answers.shift());

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
    expect(requests.filter(isCompare)).toHaveLength(2);
  });

  test('for ever is unavailable, and the caller learns the status', async () => {
    const { github } = await startGitHub(() => status(503));

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toMatchObject({
      code: 'FORGE_UNAVAILABLE',
      status: 503,
    });
  });

  test('by silence ends', async () => {
    const { github } = await startGitHub(() => 'silence', { timeoutMs: 50 });

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toMatchObject({
      code: 'FORGE_UNAVAILABLE',
      status: 0,
    });
  });

  test('by an answer that breaks off is not taken for an empty one', async () => {
    const answers: Answer[] = ['broken', status(200, { status: 'behind' })];
    const { github } = await startGitHub(() => answers.shift());

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('behind');
  });

  test('with a refusal is not made again', async () => {
    const { github, requests } = await startGitHub(() => status(422, { message: 'No' }));

    await expect(github.commits.compare(REPOSITORY, 'a', 'b')).rejects.toBeInstanceOf(GitHubRefusedError);
    expect(requests.filter(isCompare)).toHaveLength(1);
  });
});

describe('a secondary limit', () => {
  const limited = (seconds: string) =>
    status(403, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': seconds });

  test('that is short is waited out', async () => {
    const answers = [limited('1'), status(200, { status: 'identical' })];
    const { github } = await startGitHub(() => answers.shift());

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('identical');
  });

  test('that is long is the business of the caller, who learns how long', async () => {
    const { github } = await startGitHub(() => limited('60'));

    const failure = github.commits.compare(REPOSITORY, 'a', 'b');

    await expect(failure).rejects.toBeInstanceOf(GitHubUnavailableError);
    await expect(failure).rejects.toMatchObject({ status: 403, retryAfterMs: 60_000 });
  });
});

describe('a permission', () => {
  test.each([
    ['maintain', { permission: 'write', role_name: 'maintain', user: { permissions: { maintain: true, push: true } } }],
    ['write', { permission: 'write', role_name: 'deployer', user: { permissions: { push: true, pull: true } } }],
    ['maintain', { permission: 'write', role_name: 'maintain', user: {} }],
    ['read', { permission: 'read', user: null }],
    ['none', { permission: 'something new' }],
  ])('the permission is %s where GitHub answers %j', async (permission, answer) => {
    const { github } = await startGitHub(() => status(200, answer));

    expect(await github.people.permissionOf(REPOSITORY, 'bob')).toBe(permission);
  });

  test('of somebody unknown is none', async () => {
    const { github } = await startGitHub(() => status(404, { message: 'Not Found' }));

    expect(await github.people.permissionOf(REPOSITORY, 'bob')).toBe('none');
  });

  test('is asked with the ETag of the last answer', async () => {
    const { github, requests } = await startGitHub(({ headers }) =>
      headers['if-none-match'] === '"1"' ? status(304) : status(200, { permission: 'admin' }, { etag: '"1"' }),
    );

    await github.people.permissionOf(REPOSITORY, 'bob');
    await setTimeout(LATER_MS);

    expect(await github.people.permissionOf(REPOSITORY, 'bob')).toBe('admin');
    expect(requests.at(-1)?.headers['if-none-match']).toBe('"1"');
  });

  test('is asked once for many presses of one person at a time, and again for the next one', async () => {
    const permissions = ['admin', 'none'];
    const { github, requests } = await startGitHub(() => status(200, { permission: permissions.shift() }));

    const presses = Array.from({ length: 20 }, () => github.people.permissionOf(REPOSITORY, 'bob'));

    expect(new Set(await Promise.all(presses))).toEqual(new Set(['admin']));
    expect(requests).toHaveLength(1);
    await setTimeout(LATER_MS);
    expect(await github.people.permissionOf(REPOSITORY, 'bob')).toBe('none');
  });

  test('that GitHub does not tell is never a yes', async () => {
    const { github } = await startGitHub(() => status(500));

    await expect(github.people.permissionOf(REPOSITORY, 'bob')).rejects.toBeInstanceOf(GitHubUnavailableError);
  });

  test('is of a login, whose account has an id while somebody has it', async () => {
    const answers = [status(200, { login: 'bob', id: 7 }), status(404, { message: 'Not Found' })];
    const { github, requests } = await startGitHub(() => answers.shift());

    expect(await github.people.idOf(REPOSITORY, 'bob')).toBe(7);
    expect(await github.people.idOf(REPOSITORY, 'gone')).toBeUndefined();
    expect(requests.map(({ url }) => url)).toEqual(['/api/v3/users/bob', '/api/v3/users/gone']);
  });

  test('includes membership in a team, once it was accepted', async () => {
    const states = ['pending', 'active'];
    const { github } = await startGitHub(({ url }) =>
      url.includes('/memberships/') ? status(200, { state: states.shift() }) : status(404),
    );
    const isMember = () => github.teams.isMember(REPOSITORY, 'acme/sre', 'bob');

    expect(await isMember()).toBe(false);
    expect(await isMember()).toBe(true);
  });
});

describe('a comparison', () => {
  test('with a revision that is gone counts as diverged, and is asked again: it may be there by then', async () => {
    const answers = [status(404, { message: 'Not Found' }), status(200, { status: 'ahead' })];
    const { github } = await startGitHub(() => answers.shift());

    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('diverged');
    expect(await github.commits.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
  });

  test('is asked once for all lanes of a merge, and for no other', async () => {
    const { github, requests } = await startGitHub(() => status(200, { status: 'ahead' }));

    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
    const lanes = Array.from({ length: 20 }, () => github.commits.compare(REPOSITORY, a, b));
    expect(new Set(await Promise.all(lanes))).toEqual(new Set(['ahead']));
    expect(requests.filter(isCompare)).toHaveLength(1);

    await github.commits.compare(REPOSITORY, a, c);
    await github.commits.compare({ ...REPOSITORY, installationId: 100 }, a, b);
    expect(requests.filter(isCompare)).toHaveLength(3);
  });

  test('with a branch is asked each time: branches move', async () => {
    const answers = [status(200, { status: 'ahead' }), status(200, { status: 'diverged' })];
    const { github } = await startGitHub(() => answers.shift());

    expect(await github.commits.compare(REPOSITORY, 'main', 'b'.repeat(40))).toBe('ahead');
    expect(await github.commits.compare(REPOSITORY, 'main', 'b'.repeat(40))).toBe('diverged');
  });
});

describe('who is behind a revision', () => {
  const BOB = { login: 'bob', id: 5 };

  interface Made {
    readonly author?: object | null;
    readonly committer?: object | null;
    readonly email?: string;
    readonly message?: string;
  }

  /** A commit as GitHub answers it. */
  function aCommit({ author = BOB, committer = BOB, email = 'bob@example.com', message = 'A change' }: Made) {
    return {
      sha: 'b',
      author,
      committer,
      commit: { message, author: { email: 'bob@example.com' }, committer: { email } },
      parents: [],
    };
  }

  async function contributors(commit: object) {
    const { github } = await startGitHub(({ url }) => status(200, url.includes('/pulls') ? [] : commit));
    const { people, hasUnknown } = await github.commits.contributors(REPOSITORY, 'b');
    return { people, hasUnknown };
  }

  test.each([null, {}])('is not known where GitHub knows no author: %j', async (author) => {
    expect(await contributors(aCommit({ author }))).toEqual({ people: [BOB], hasUnknown: true });
  });

  test('is nobody else where GitHub committed it for its author', async () => {
    const commit = aCommit({ committer: null, email: 'noreply@github.com' });

    expect(await contributors(commit)).toEqual({ people: [BOB], hasUnknown: false });
  });

  test.each([
    [
      'an address of GitHub',
      '1+Carol@users.noreply.github.com',
      { people: [BOB, { login: 'carol', id: 1 }], hasUnknown: false },
    ],
    [
      'an older address of GitHub',
      'Carol@users.noreply.github.com',
      { people: [BOB, { login: 'carol' }], hasUnknown: false },
    ],
    ['an address of another commit', 'BOB@example.com', { people: [BOB], hasUnknown: false }],
    ['another address', 'carol@example.com', { people: [BOB], hasUnknown: true }],
  ])('includes co-authors, by %s', async (_what, address, found) => {
    const message = `A change\n\nCo-authored-by: Carol <${address}>\nCo-Authored-By: Bob <bob@example.com>\n`;

    expect(await contributors(aCommit({ message }))).toEqual(found);
  });
});

describe('who put a pull request into a merge queue', () => {
  const bob = { login: 'bob', id: 2 };
  const carol = { login: 'carol', id: 3 };
  const bot = { login: 'merges[bot]', id: 4 };
  const mergedBy = { login: 'github-merge-queue[bot]', id: 5 };
  const commit = {
    sha: 'b',
    author: bob,
    committer: bob,
    commit: { message: 'A', author: {}, committer: {} },
    parents: [],
  };

  const end = { ref: 'main', sha: 'c', repo: { id: 6 } };
  const ends = { head: end, base: end };

  async function known(timeline: readonly object[]) {
    const { github } = await startGitHub(({ url }) => {
      if (url.includes('/timeline')) return status(200, timeline);
      if (url.includes('/commits/b/pulls')) return status(200, [{ number: 1 }]);
      if (url.includes('/pulls/1/commits')) return status(200, [commit]);
      return status(200, url.includes('/pulls/1') ? { user: bob, merged_by: mergedBy, ...ends } : commit);
    });
    const { people, hasUnknown } = await github.commits.contributors(REPOSITORY, 'b');
    return { isCarol: people.some(({ login }) => login === 'carol'), hasUnknown };
  }

  test.each<[string, readonly object[], object]>([
    ['a person', [{ event: 'added_to_merge_queue', actor: carol }], { isCarol: true, hasUnknown: false }],
    ['nobody, as far as GitHub tells', [{ event: 'commented', actor: carol }], { isCarol: false, hasUnknown: true }],
    ['an account that is gone', [{ event: 'added_to_merge_queue', actor: null }], { isCarol: false, hasUnknown: true }],
    ['a bot', [{ event: 'added_to_merge_queue', actor: bot }], { isCarol: false, hasUnknown: true }],
    [
      'a bot, after a person who was taken out again',
      [
        { event: 'added_to_merge_queue', actor: carol },
        { event: 'added_to_merge_queue', actor: bot },
      ],
      { isCarol: true, hasUnknown: true },
    ],
    [
      'a person, for another one who asked for an auto-merge',
      [
        { event: 'auto_squash_enabled', actor: carol },
        { event: 'added_to_merge_queue', actor: bob },
      ],
      { isCarol: true, hasUnknown: false },
    ],
  ])('who put a pull request into a merge queue is %s', async (_who, timeline, found) => {
    expect(await known(timeline)).toEqual(found);
  });
});

describe('a comment', () => {
  test('whose outcome nobody knows is not repeated', async () => {
    const { github, requests } = await startGitHub(() => status(502));

    const failure = github.comments.create(REPOSITORY, 1, { body: 'Queued.', key: 'k' });

    await expect(failure).rejects.toBeInstanceOf(GitHubUnavailableError);
    expect(requests).toHaveLength(1);
  });

  test('is looked for to the last page of those since then', async () => {
    const other = { body: 'LGTM', user: { type: 'User' } };
    const ours = { body: 'Queued.\n\n<!-- nereid: k -->', user: { type: 'Bot' } };
    const { github, requests } = await startGitHub(({ url }) =>
      status(200, url.endsWith('&page=1') ? Array.from({ length: 100 }, () => other) : [ours]),
    );

    await github.comments.create(REPOSITORY, 1, { body: 'Queued.', key: 'k', mayExistSince: new Date(0) });

    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(requests[0]?.url).toContain('since=1970-01-01T00%3A00%3A00.000Z');
  });
});

describe('a token for git', () => {
  test('is narrowed to one repository and used again', async () => {
    const { github, tokens } = await startGitHub(() => undefined);

    const first = await github.readToken(REPOSITORY);
    const second = await github.readToken(REPOSITORY);

    expect(first).toEqual(second);
    expect(first.expiresAt).toBeGreaterThan(Date.now());
    expect(tokens.map(json)).toEqual([{ repositories: ['infra'], permissions: { contents: 'read' } }]);
  });

  test('that is about to end is not used again', async () => {
    const { github, tokens } = await startGitHub(() => undefined, { tokenLifeMs: 60_000 });

    await github.readToken(REPOSITORY);
    await github.readToken(REPOSITORY);

    expect(tokens.length).toBeGreaterThan(1);
  });

  test('is sent as git sends a password', () => {
    expect(gitAuthorization('t0ken')).toBe(`Basic ${Buffer.from('x-access-token:t0ken').toString('base64')}`);
  });
});

describe('every request is counted', () => {
  test('by route and outcome, with the budget that is left to the installation', async () => {
    const counted: CountedRequest[] = [];
    const budget = { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1893456000' };
    const { github } = await startGitHub(() => status(200, { status: 'ahead' }, budget), {
      onRequest: (request) => counted.push(request),
    });

    await github.commits.compare(REPOSITORY, 'a', 'b');

    expect(counted.at(-1)).toMatchObject({
      route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
      status: 200,
      installation: String(REPOSITORY.installationId),
      budget: { remaining: 4999, resetsAtMs: 1_893_456_000_000 },
      limited: false,
    });
  });

  test('as limited, if it met a limit', async () => {
    const counted: CountedRequest[] = [];
    const { github } = await startGitHub(() => status(429, { message: 'Too many' }, { 'retry-after': '60' }), {
      onRequest: (request) => counted.push(request),
    });

    await github.commits.compare(REPOSITORY, 'a', 'b').catch(() => undefined);

    expect(counted.at(-1)).toMatchObject({ status: 429, limited: true });
  });
});
