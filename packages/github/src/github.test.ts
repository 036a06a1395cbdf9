import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { CheckRunContent } from './check-run-content.ts';
import type { CountedRequest } from './counted-requests.ts';
import { GitHubRefusedError, GitHubUnavailableError } from './errors.ts';
import { createGitHub, type GitHub } from './github.ts';
import { gitAuthorization } from './installation-token.ts';

const APP_ID = 7;
const REPOSITORY = { owner: 'acme', name: 'infra', installationId: 99 };
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});

const CONTENT: CheckRunContent = {
  name: 'nereid/deploy: network',
  headSha: 'a'.repeat(40),
  externalId: 'deployment-1',
  detailsUrl: 'https://console.example/deployments/deployment-1',
  status: 'queued',
  title: 'Queued, next',
  summary: 'This deployment is next in its lane.',
  actions: [],
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

describe('a request that fails', () => {
  test('with a server error is made again', async () => {
    const answers = [status(502), status(200, { status: 'ahead' })];
    const { github, requests } = await startGitHub(() => answers.shift());

    expect(await github.compare(REPOSITORY, 'a', 'b')).toBe('ahead');
    expect(requests.filter(isCompare)).toHaveLength(2);
  });

  test('for ever is unavailable, and the caller learns the status', async () => {
    const { github } = await startGitHub(() => status(503));

    await expect(github.compare(REPOSITORY, 'a', 'b')).rejects.toMatchObject({
      code: 'GITHUB_UNAVAILABLE',
      status: 503,
    });
  });

  test('by silence ends', async () => {
    const { github } = await startGitHub(() => 'silence', { timeoutMs: 50 });

    await expect(github.compare(REPOSITORY, 'a', 'b')).rejects.toMatchObject({ code: 'GITHUB_UNAVAILABLE', status: 0 });
  });

  test('by an answer that breaks off is not taken for an empty one', async () => {
    const answers: Answer[] = ['broken', status(200, { status: 'behind' })];
    const { github } = await startGitHub(() => answers.shift());

    expect(await github.compare(REPOSITORY, 'a', 'b')).toBe('behind');
  });

  test('with a refusal is not made again', async () => {
    const { github, requests } = await startGitHub(() => status(422, { message: 'No' }));

    await expect(github.compare(REPOSITORY, 'a', 'b')).rejects.toBeInstanceOf(GitHubRefusedError);
    expect(requests.filter(isCompare)).toHaveLength(1);
  });
});

describe('a secondary limit', () => {
  const limited = (seconds: string) =>
    status(403, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': seconds });

  test('that is short is waited out', async () => {
    const answers = [limited('1'), status(200, { status: 'identical' })];
    const { github } = await startGitHub(() => answers.shift());

    expect(await github.compare(REPOSITORY, 'a', 'b')).toBe('identical');
  });

  test('that is long is the business of the caller, who learns how long', async () => {
    const { github } = await startGitHub(() => limited('60'));

    const failure = github.compare(REPOSITORY, 'a', 'b');

    await expect(failure).rejects.toBeInstanceOf(GitHubUnavailableError);
    await expect(failure).rejects.toMatchObject({ status: 403, retryAfterMs: 60_000 });
  });
});

describe('a check run', () => {
  test('whose creation nobody answered is adopted, not created twice', async () => {
    const created: { id: number; head_sha: string; app: { id: number } }[] = [];
    const { github, requests } = await startGitHub((request) => {
      if (request.method === 'POST') {
        created.push({ ...aCheckRun(5), ...json(request) });
        return status(502);
      }
      if (request.method === 'GET') return status(200, { total_count: created.length, check_runs: created });
      return status(200, aCheckRun(5));
    });

    expect(await github.checkRuns.create(REPOSITORY, CONTENT)).toEqual({ id: 5, completed: false });
    expect(created).toHaveLength(1);
    expect(requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  test('that the lane knows, or that is another App’s, is not adopted', async () => {
    const { github } = await startGitHub((request) =>
      request.method === 'GET'
        ? status(200, { total_count: 2, check_runs: [aCheckRun(5), { ...aCheckRun(6), app: { id: 8 } }] })
        : status(201, aCheckRun(9)),
    );

    const checkRun = await github.checkRuns.create(REPOSITORY, CONTENT, { known: [5], mayExist: true });

    expect(checkRun.id).toBe(9);
  });

  test('that was completed is not reopened: work that goes on has a new one', async () => {
    const { github, requests } = await startGitHub(() => status(201, aCheckRun(6)));

    await github.checkRuns.present(REPOSITORY, [{ id: 5, completed: true }], CONTENT);

    expect(requests.at(-1)?.method).toBe('POST');
  });

  test('that goes on is updated', async () => {
    const { github, requests } = await startGitHub(() => status(200, aCheckRun(5)));

    await github.checkRuns.present(REPOSITORY, [{ id: 5, completed: false }], CONTENT);

    expect(requests.at(-1)).toMatchObject({ method: 'PATCH', url: '/api/v3/repos/acme/infra/check-runs/5' });
  });

  test('is never sent a conclusion while it is not completed', async () => {
    const { github, requests } = await startGitHub(() => status(201, aCheckRun(5)));

    await github.checkRuns.create(REPOSITORY, CONTENT);

    expect(json(requests.at(-1))).toEqual({
      name: CONTENT.name,
      head_sha: CONTENT.headSha,
      external_id: CONTENT.externalId,
      details_url: CONTENT.detailsUrl,
      status: 'queued',
      output: { title: CONTENT.title, summary: CONTENT.summary },
      actions: [],
    });
  });

  test('of a suite is listed to its last page', async () => {
    const { github } = await startGitHub(({ url }) => {
      const count = url.endsWith('&page=1') ? 100 : 3;
      return status(200, { check_runs: Array.from({ length: count }, (_, index) => aCheckRun(index)) });
    });

    expect(await github.checkRuns.ofSuite(REPOSITORY, 1)).toHaveLength(103);
  });
});

describe('a permission', () => {
  test.each([
    ['maintain', { permission: 'write', role_name: 'maintain', user: { permissions: { maintain: true, push: true } } }],
    ['write', { permission: 'write', role_name: 'deployer', user: { permissions: { push: true, pull: true } } }],
    ['maintain', { permission: 'write', role_name: 'maintain', user: {} }],
    ['read', { permission: 'read', user: null }],
    ['none', { permission: 'something new' }],
  ])('is %s for %j', async (permission, answer) => {
    const { github } = await startGitHub(() => status(200, answer));

    expect(await github.permissionOf(REPOSITORY, 'bob')).toBe(permission);
  });

  test('of somebody unknown is none', async () => {
    const { github } = await startGitHub(() => status(404, { message: 'Not Found' }));

    expect(await github.permissionOf(REPOSITORY, 'bob')).toBe('none');
  });

  test('is asked with the ETag of the last answer', async () => {
    const { github, requests } = await startGitHub(({ headers }) =>
      headers['if-none-match'] === '"1"' ? status(304) : status(200, { permission: 'admin' }, { etag: '"1"' }),
    );

    await github.permissionOf(REPOSITORY, 'bob');

    expect(await github.permissionOf(REPOSITORY, 'bob')).toBe('admin');
    expect(requests.at(-1)?.headers['if-none-match']).toBe('"1"');
  });

  test('that GitHub does not tell is never a yes', async () => {
    const { github } = await startGitHub(() => status(500));

    await expect(
      github.authorise({ repository: REPOSITORY, action: 'confirm', rule: undefined, login: 'bob', authors: [] }),
    ).rejects.toBeInstanceOf(GitHubUnavailableError);
  });

  test('includes membership in a team, once it was accepted', async () => {
    const states = ['pending', 'active'];
    const { github } = await startGitHub(({ url }) =>
      url.includes('/memberships/') ? status(200, { state: states.shift() }) : status(200, { permission: 'write' }),
    );
    const rule = { teams: ['acme/sre'] };
    const request = { repository: REPOSITORY, action: 'confirm', rule, login: 'bob', authors: [] } as const;

    expect((await github.authorise(request)).kind).toBe('no');
    expect((await github.authorise(request)).kind).toBe('yes');
  });
});

test('a revision that is gone counts as diverged', async () => {
  const { github } = await startGitHub(() => status(404, { message: 'Not Found' }));

  expect(await github.compare(REPOSITORY, 'a', 'b')).toBe('diverged');
});

test.each([null, {}])('people whom GitHub does not know are no authors: %j', async (nobody) => {
  const { github } = await startGitHub(() => status(200, { author: nobody, committer: nobody, parents: [] }));

  expect(await github.commits.authors(REPOSITORY, 'b')).toEqual([]);
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

    const first = await github.installationToken(REPOSITORY, { contents: 'read' });
    const second = await github.installationToken(REPOSITORY, { contents: 'read' });

    expect(first).toBe(second);
    expect(tokens.map(json)).toEqual([{ repositories: ['infra'], permissions: { contents: 'read' } }]);
  });

  test('that is about to end is not used again', async () => {
    const { github, tokens } = await startGitHub(() => undefined, { tokenLifeMs: 60_000 });

    await github.installationToken(REPOSITORY, { contents: 'read' });
    await github.installationToken(REPOSITORY, { contents: 'read' });

    expect(tokens.length).toBeGreaterThan(1);
  });

  test('is sent as git sends a password', () => {
    expect(gitAuthorization('t0ken')).toBe(`Basic ${Buffer.from('x-access-token:t0ken').toString('base64')}`);
  });
});

test('every request is counted by route and outcome, with the budget that is left', async () => {
  const counted: CountedRequest[] = [];
  const { github } = await startGitHub(() => status(200, { status: 'ahead' }, { 'x-ratelimit-remaining': '4999' }), {
    onRequest: (request) => counted.push(request),
  });

  await github.compare(REPOSITORY, 'a', 'b');

  expect(counted.at(-1)).toMatchObject({
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    status: 200,
    remaining: 4999,
  });
});

type Answer = { status: number; body: unknown; headers: Readonly<Record<string, string>> } | 'silence' | 'broken';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Settings {
  readonly timeoutMs?: number;
  readonly tokenLifeMs?: number;
  readonly onRequest?: (request: CountedRequest) => void;
}

/** A server that gives out tokens by itself and answers everything else as the test says. */
async function startGitHub(answer: (request: Received) => Answer | undefined, settings: Settings = {}) {
  const requests: Received[] = [];
  const tokens: Received[] = [];
  const server = createServer((incoming, response) => {
    void receive(incoming).then((request) => {
      const isToken = request.url.endsWith('/access_tokens');
      (isToken ? tokens : requests).push(request);
      send(response, isToken ? aToken(settings.tokenLifeMs ?? 3_600_000) : (answer(request) ?? status(500)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  });

  // The address of a server that listens on TCP is never a string.
  const { port } = server.address() as AddressInfo;
  const { timeoutMs, onRequest } = settings;
  const github: GitHub = createGitHub({
    appId: APP_ID,
    privateKey,
    apiUrl: `http://127.0.0.1:${port}/api/v3`,
    retryBaseMs: 1,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(onRequest === undefined ? {} : { onRequest }),
  });
  return { github, requests, tokens };
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const { method = '', url = '', headers } = incoming;
  return { method, url, headers, body: await text(incoming) };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'broken') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"status":', () => response.destroy());
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(answer.status === 304 ? undefined : JSON.stringify(answer.body));
}

function status(code: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: code, body, headers };
}

function aToken(lifeMs: number): Answer {
  const expires_at = new Date(Date.now() + lifeMs).toISOString();
  return status(201, { token: `token-${Math.random()}`, expires_at, permissions: { contents: 'read' } });
}

function aCheckRun(id: number) {
  return {
    id,
    name: CONTENT.name,
    head_sha: CONTENT.headSha,
    external_id: CONTENT.externalId,
    status: 'queued',
    conclusion: null,
    app: { id: APP_ID },
  };
}

function json(request: Received | undefined): object {
  const parsed: unknown = JSON.parse(request?.body ?? '');
  return Object(parsed) as object;
}

function isCompare({ url }: Received): boolean {
  return url.includes('/compare/');
}
