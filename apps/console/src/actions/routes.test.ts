import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ACTION_OPERATIONS, API_PATH, Problem, RequestAnswer, type ActionOperation } from '@nereid/api';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { createDrainRecords, createHostRecords } from '@nereid/storage';
import { LOCAL_PERSON, TOKEN } from '../login/testing.ts';
import { aControl, aConsole } from '../testing.ts';
import type { Answered } from './make-request.ts';

const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const LANE = 'acme/infra/network';
const SHA = 'a'.repeat(40);
const LOCK = { deployment: 'd0' };

/** A console on this machine, whose page of the deployment is open in a browser. */
async function aPage(control = aControl(), more: Parameters<typeof aConsole>[0] = {}) {
  const console = await aConsole({
    isLocal: true,
    lane: { running: WAITING },
    live: { running: WAITING },
    progress: WAITING.progress,
    findLane: { kind: 'found', value: { owner: 'acme', name: 'infra', rootName: 'network' } },
    requests: control.requests,
    ...more,
  });
  const page = await (await console.get(`/deployments/${WAITING.id}?lane=${LANE}`)).text();
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page)?.groups ?? {};
  const { seen = '' } = /name="seen" value="(?<seen>[^"]+)"/.exec(page)?.groups ?? {};
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${console.url}${API_PATH}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, ...headers },
      body: JSON.stringify(body),
    });
  return { console, page, csrf, seen, post, asked: control.asked };
}

describe('a button', () => {
  test('of a page asks for exactly the plan that the page shows', async () => {
    const { post, seen, asked } = await aPage();

    const answer = await post(`/deployments/${WAITING.id}/confirm?lane=${LANE}`, { seen });

    expect([answer.status, RequestAnswer.parse(await answer.json())]).toEqual([
      200,
      { id: 'r1', state: 'accepted', sentence: '@alice unlocks network.' },
    ]);
    const request = { action: 'confirm', rootName: 'network', deploymentId: WAITING.id, seen };
    expect(asked).toMatchObject([{ request, repository: { owner: 'acme', name: 'infra', installationId: 1 } }]);
    expect(asked[0]?.visitor).toMatchObject({ person: { login: LOCAL_PERSON }, proof: { mode: 'local' } });
  });

  test('works as a form where no script runs, and the answer is a page', async () => {
    const { console, csrf, asked } = await aPage();

    const answer = await fetch(`${console.url}${API_PATH}/lanes/${LANE}/unlock`, {
      method: 'POST',
      headers: { accept: 'text/html,application/xhtml+xml' },
      body: new URLSearchParams({ csrf, ...LOCK }),
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(await answer.text()).toContain('@alice unlocks network.');
    expect(asked).toMatchObject([{ request: { action: 'unlock', rootName: 'network', deployment: 'd0' } }]);
  });

  test('of a form that names one root deploys to it', async () => {
    const { console, csrf, asked } = await aPage();

    const answer = await fetch(`${console.url}${API_PATH}/repositories/acme/infra/deploy`, {
      method: 'POST',
      body: new URLSearchParams({ csrf, revision: SHA, roots: 'network' }),
    });

    expect(answer.status).toBe(200);
    expect(asked).toMatchObject([{ request: { action: 'deploy', roots: ['network'], revision: SHA } }]);
  });

  test('is not there for people who only look', async () => {
    const onlyReads = await aConsole({ isLocal: true, lane: { running: WAITING }, live: { running: WAITING } });

    const page = await (await onlyReads.get(`/deployments/${WAITING.id}?lane=${LANE}`)).text();

    expect(page).toContain(WAITING.id);
    expect(page).not.toContain('class="act"');
  });
});

describe('of what is not there, or not for this person, a person reads what was expected, and no more than they said', () => {
  const ELSEWHERE = 'that Nereid has deployed to, and that you may see, found';

  test.each([
    [
      '/repositories/acme/nope/stop',
      { for: '1h', reason: 'an audit' },
      `Expected a repository ${ELSEWHERE} acme/nope.`,
    ],
    [
      '/repositories/acme/nope/deploy',
      { revision: SHA, roots: ['a'] },
      `Expected a repository ${ELSEWHERE} acme/nope.`,
    ],
    ['/lanes/acme/infra/nope/unlock', LOCK, `Expected a root ${ELSEWHERE} acme/infra/nope.`],
  ])('%s', async (path, body, sentence) => {
    const { post, asked } = await aPage();

    const answer = await post(path, body);

    expect(answer.status).toBe(404);
    const { detail } = Problem.parse(await answer.json());
    expect(detail).toBe(`${sentence} Check the name: the list of lanes has all of them.`);
    expect(asked).toEqual([]);
  });
});

test('a host is drained and resumed as the host that it is, whether it is there or was stopped', async () => {
  const { console, post, asked } = await aPage();
  const at = new Date().toISOString();
  const slots = { total: 4, used: 0 };
  await createHostRecords(console.store).write({ version: 1, hostId: 'h1', at, slots, draining: false });
  const drain = { version: 1, action: 'drain', requestId: 'r0', by: 'bob', at } as const;
  await createDrainRecords(console.store).ask({ ...drain, hostId: 'h2' });

  const statuses = [
    (await post('/hosts/h1/drain', {})).status,
    (await post('/hosts/h2/resume', {}, { 'idempotency-key': 'run-7' })).status,
  ];

  expect(statuses).toEqual([200, 200]);
  expect(asked).toMatchObject([
    { request: { action: 'drain', hostId: 'h1' } },
    { request: { action: 'resume', hostId: 'h2' }, idempotencyKey: 'run-7' },
  ]);
  expect(asked[0]).not.toHaveProperty('repository');
});

describe('what another site sends', () => {
  test.each([
    ['without our word', ''],
    ['with a word that is made up', 'A'.repeat(43)],
    ['with a word of another length', 'short'],
  ])('a form %s does nothing', async (_what, word) => {
    const { post, asked } = await aPage();

    const answer = await post(`/lanes/${LANE}/unlock`, LOCK, { 'x-csrf-token': word });

    expect(answer.status).toBe(403);
    expect(asked).toEqual([]);
  });

  test('through a name that was made to point here does nothing', async () => {
    const { console, csrf, asked } = await aPage();
    const { port } = new URL(console.url);

    // fetch sets the Host header itself, so this is a request of Node's own.
    const status = await postAs('evil.example', Number(port), `${API_PATH}/lanes/${LANE}/unlock`, csrf);

    expect(status).toBe(401);
    expect(asked).toEqual([]);
  });
});

describe('a script', () => {
  test('acts with its token, and needs no word of a page', async () => {
    const { console, seen, asked } = await aPage();
    const path = `/deployments/${WAITING.id}/reject?lane=${LANE}`;

    const answer = await fetch(`${console.url}${API_PATH}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', 'idempotency-key': 'run-7' },
      body: JSON.stringify({ seen }),
    });

    expect(answer.status).toBe(200);
    expect(asked).toMatchObject([{ request: { action: 'reject' }, idempotencyKey: 'run-7' }]);
    expect(asked[0]?.visitor.person).toMatchObject({ login: 'robot', token: { name: 'ci' } });
  });

  test('with a token that nobody knows is told so', async () => {
    const { post, asked } = await aPage();

    const answer = await post(`/lanes/${LANE}/unlock`, LOCK, { authorization: 'Bearer nereid_made-up' });

    expect([answer.status, Problem.parse(await answer.json()).detail]).toEqual([
      401,
      expect.stringContaining('this token is not known here'),
    ]);
    expect(asked).toEqual([]);
  });

  test('that asks for too much in a minute is told to wait', async () => {
    const { post } = await aPage();

    const answers = await Promise.all(Array.from({ length: 61 }, () => post(`/lanes/${LANE}/unlock`, LOCK)));

    const late = answers.filter(({ status }) => status === 429);
    expect(late).toHaveLength(1);
    expect(Number(late[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('an answer', () => {
  test.each<[string, Partial<Answered>, number, string]>([
    [
      'that refuses is a problem with the sentence that GitHub would show',
      { result: { kind: 'refused', sentence: '@alice may not unlock this: ask ada', workflows: [] } },
      409,
      '@alice may not unlock this: ask ada.',
    ],
    [
      'of a key that was used for something else says so',
      { kind: 'conflict' },
      422,
      'Something else was asked for with this Idempotency-Key',
    ],
    ['while Temporal is away is "not now"', { kind: 'unavailable' }, 503, 'nothing was done'],
    ['of which Temporal says nothing promises nothing', { kind: 'silent' }, 503, 'nobody can say what came of'],
    ['of what failed for good says why', { kind: 'failed', why: 'GitHub refused' }, 409, 'GitHub refused'],
  ])('an answer %s', async (_what, answered, status, sentence) => {
    const { post } = await aPage(aControl(answered));

    const answer = await post(`/lanes/${LANE}/unlock`, LOCK);

    expect([answer.status, Problem.parse(await answer.json()).detail]).toEqual([
      status,
      expect.stringContaining(sentence),
    ]);
  });

  test('that is to come says where it will be', async () => {
    const { console, post } = await aPage(aControl({ kind: 'pending' }));

    const answer = await post(`/deployments/${WAITING.id}/cancel?lane=${LANE}`, {});
    const place = new URL(answer.headers.get('location') ?? '', answer.url);
    const later = await fetch(place);

    expect([answer.status, RequestAnswer.parse(await answer.json()).state]).toEqual([202, 'pending']);
    expect(place.href).toBe(`${console.url}${API_PATH}/requests/r1`);
    expect([later.status, RequestAnswer.parse(await later.json()).state]).toEqual([202, 'pending']);
  });

  test('that may be to come says where it will be, and promises nothing', async () => {
    const { console, post } = await aPage(aControl({ kind: 'uncertain' }));

    const answer = await post(`/deployments/${WAITING.id}/cancel?lane=${LANE}`, {});

    const place = new URL(answer.headers.get('location') ?? '', answer.url);
    expect([answer.status, place.href]).toEqual([202, `${console.url}${API_PATH}/requests/r1`]);
    expect(RequestAnswer.parse(await answer.json())).toMatchObject({
      state: 'pending',
      sentence: expect.stringContaining('it may be under way, or it never arrived'),
    });
  });

  test('to a request that nobody made is not found', async () => {
    const { console } = await aPage();

    expect((await console.get(`${API_PATH}/requests/r2`)).status).toBe(404);
  });
});

describe('what is not understood', () => {
  test.each<[string, string, unknown, number]>([
    ['a plan that is none', `/deployments/${WAITING.id}/confirm`, { seen: 'this one' }, 400],
    ['a plan that is not named', `/deployments/${WAITING.id}/confirm`, {}, 400],
    ['a field too many', `/lanes/${LANE}/unlock`, { ...LOCK, force: true }, 400],
    ['no lock that was looked at', `/lanes/${LANE}/unlock`, {}, 400],
    ['a list in place of fields', `/lanes/${LANE}/unlock`, [], 400],
    ['no roots', '/repositories/acme/infra/deploy', { revision: SHA, roots: [] }, 400],
    ['too many roots', '/repositories/acme/infra/deploy', { revision: SHA, roots: Array(101).fill('a') }, 400],
    ['a root with a path', '/repositories/acme/infra/deploy', { revision: SHA, roots: ['../x'] }, 400],
    ['a revision that is none', '/repositories/acme/infra/deploy', { revision: 'main', roots: ['a'] }, 400],
    ['a repository that is not known', '/repositories/acme/none/deploy', { revision: SHA, roots: ['a'] }, 404],
    ['a lane that is not known', '/lanes/acme/infra/none/unlock', LOCK, 404],
    ['a lane that is none', '/lanes/acme/infra/%3Cscript%3E/unlock', LOCK, 404],
    ['a deployment that is none', '/deployments/none/cancel', {}, 404],
    ['a deployment that is not known', `/deployments/${randomUUID()}/cancel`, {}, 404],
    ['a pull request that is none', '/pulls/acme/infra/x/plan', {}, 404],
    ['a pull request that is not known', '/pulls/acme/infra/12/plan', {}, 404],
    ['a host that is not known', '/hosts/h9/drain', {}, 404],
    ['a host that is none', '/hosts/..%2Flanes%2Fx/drain', {}, 404],
    ['a body that is too large', `/lanes/${LANE}/unlock`, { x: 'x'.repeat(40_000) }, 413],
  ])('%s is a problem, and nothing is asked for', async (_what, path, body, status) => {
    const { post, asked } = await aPage();

    const answer = await post(path, body as object);

    expect([answer.status, Problem.parse(await answer.json()).status]).toEqual([status, status]);
    expect(asked).toEqual([]);
  });

  test.each([
    ['/repositories/acme/none/deploy', { revision: SHA, roots: ['a'] }, 'Expected a repository that'],
    ['/lanes/acme/infra/none/unlock', LOCK, 'Expected a root that'],
    [`/deployments/${randomUUID()}/cancel`, {}, 'There is no such deployment, or none that'],
    ['/pulls/acme/infra/12/plan', {}, 'There is no such pull request, or none that'],
    ['/hosts/h9/drain', {}, 'There is no such host, or none that'],
  ])('what is not there is named: %s', async (path, body, beginning) => {
    const { post } = await aPage();

    const { detail } = Problem.parse(await (await post(path, body)).json());

    expect(detail.startsWith(beginning)).toBe(true);
  });

  test.each(['no json', '{"a":', '\u0000'])('the body %j is a problem', async (body) => {
    const { console, csrf } = await aPage();

    const answer = await fetch(`${console.url}${API_PATH}/lanes/${LANE}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body,
    });

    expect(answer.status).toBe(400);
  });

  test('an Idempotency-Key of 10 KB is a problem', async () => {
    const { post, asked } = await aPage();

    const answer = await post(`/lanes/${LANE}/unlock`, LOCK, { 'idempotency-key': 'k'.repeat(10_000) });

    expect(answer.status).toBe(400);
    expect(asked).toEqual([]);
  });
});

test('every operation of the description is there, and asks people who they are', async () => {
  const console = await aConsole({ requests: aControl().requests });

  for (const { path } of Object.values<ActionOperation>(ACTION_OPERATIONS)) {
    const place = path.replaceAll(/\{\w+\}/g, '1');
    const answer = await fetch(`${console.url}${API_PATH}${place}`, { method: 'POST' });
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      401,
      expect.stringContaining('application/problem+json'),
    ]);
  }
});

async function postAs(host: string, port: number, path: string, csrf: string): Promise<number | undefined> {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { host, 'x-csrf-token': csrf, 'content-type': 'application/json' };
  request({ port, path, method: 'POST', headers }, (response) => {
    response.resume();
    resolve(response.statusCode);
  })
    .on('error', reject)
    .end('{}');
  return promise;
}
