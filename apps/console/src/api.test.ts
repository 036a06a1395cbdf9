/** The API as its document describes it. */
import { describe, expect, test } from '@jest/globals';
import {
  API_PATH,
  CLIENT_HEADER,
  DeploymentDetail,
  LOG_EVENTS,
  OPERATIONS,
  PullRequestDetail,
  type Operation,
  type OperationName,
} from '@nereid/api';
import type { Deployment } from '@nereid/domain/deployment';
import { DEFAULT_POOL } from '@nereid/domain/root';
import { aDeployment, aLock, aPlan } from '@nereid/domain/testing';
import type { Requests } from './actions/make-request.ts';
import { aConsole, JOB, LOCAL_PERSON, REPOSITORY, RUNNING, TOKEN, type Outside } from './testing.ts';

const LANE = 'lane=acme%2Finfra%2Fnetwork';
const REVIEW = aDeployment({ status: 'awaiting-review', plan: aPlan(), hostId: 'host-1', jobs: { plan: JOB } });
const ENDED = '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90';
const FAILED = '22222222-0d4b-4e7a-9c55-1f0e6b7a2d90';
const QUEUED = '33333333-0d4b-4e7a-9c55-1f0e6b7a2d90';
const PREVIEW = '44444444-0d4b-4e7a-9c55-1f0e6b7a2d90';
const REQUEST = `${'0'.repeat(16)}-${'1'.repeat(32)}`;

/** One request of each operation, or several where an answer has several shapes. */
const EXAMPLES: Readonly<Record<OperationName, readonly string[]>> = {
  getAttention: ['/attention'],
  listLanes: ['/lanes', '/lanes?limit=1'],
  getLane: ['/lanes/acme/infra/network'],
  getWaits: ['/lanes/acme/infra/network/waits'],
  listDeployments: ['/deployments', '/deployments?limit=1'],
  getDeployment: [RUNNING.id, ENDED, FAILED, QUEUED, PREVIEW].map((id) => `/deployments/${id}?${LANE}`),
  getJobLog: [`/deployments/${RUNNING.id}/logs/plan?${LANE}`],
  followJobLog: [`/deployments/${RUNNING.id}/logs/plan/events?${LANE}`],
  getPullRequest: ['/pulls/acme/infra/12'],
  listRollouts: ['/rollouts'],
  getRollout: [`/rollouts/acme/infra/${RUNNING.revision.sha}`],
  listActivity: ['/activity'],
  getInsights: ['/insights'],
  getRequest: [`/requests/${REQUEST}`],
  getMe: ['/me'],
  getDoctor: ['/doctor'],
  listDestinations: ['/notifications'],
  listStops: ['/stops'],
  listHosts: ['/hosts'],
};

const requests: Requests = {
  make: () => Promise.resolve({ kind: 'pending', id: REQUEST }),
  answerTo: (_visitor, id) =>
    Promise.resolve({
      kind: 'done',
      id,
      result: { kind: 'signalled', sentence: 'done', workflows: [], deployments: [{ id: ENDED, rootName: 'network' }] },
    }),
};

/** A console in which everything has happened. */
async function aFullConsole(outside: Outside = {}) {
  const queued: Deployment = { ...aDeployment({ status: 'queued' }), id: QUEUED };
  const lane = { running: REVIEW, merged: [queued], lock: aLock('failed') };
  const console = await aConsole({ isLocal: true, lane, requests, ...outside });
  const ended = (deployment: Deployment) =>
    console.records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: new Date().toISOString() });
  const applied = { added: 1, changed: 0, destroyed: 2, imported: 0 };
  const review = { answer: 'approved', by: 'bob', at: '2026-01-31T14:03:00.000Z' } as const;
  await ended({ ...aDeployment({ status: 'succeeded', plan: aPlan(), applied, review }), id: ENDED });
  const failure = {
    body: { summary: 'Error: no such bucket', lines: ['Error: no such bucket', '  on main.tf line 1'] },
  };
  await ended({ ...aDeployment({ status: 'apply-failed', plan: aPlan(), failure }), id: FAILED });
  await withPullRequest(console);
  await console.writeLog('\u001b[31mError\u001b[0m\n');
  return console;
}

async function withPullRequest({ pullRequests }: Awaited<ReturnType<typeof aConsole>>): Promise<void> {
  const forMerge = { tree: '1'.repeat(40), lane: 'x' };
  const preview = { headSha: 'a'.repeat(40), baseSha: 'b'.repeat(40), expiresAt: '2999-01-01T00:00:00.000Z', forMerge };
  const planned = { ...aDeployment({ status: 'planned', plan: aPlan() }), preview };
  await pullRequests.openPreview({
    version: 1,
    repository: REPOSITORY,
    deployment: { ...planned, id: PREVIEW, trigger: 'preview', receivedAt: new Date().toISOString() },
  });
  const previews = [{ rootName: 'network', deploymentId: PREVIEW }];
  const look = { isOpen: true, headSha: 'a'.repeat(40), baseBranch: 'main', at: new Date().toISOString(), previews };
  const heads = [{ headSha: 'c'.repeat(40), at: '2026-01-31T14:02:00.000Z', title: 'Planned' }];
  await pullRequests.change(REPOSITORY, { number: 12 }, () => {
    return { version: 1, repository: REPOSITORY, number: 12, checkRuns: [], look, heads };
  });
}

describe('every operation', () => {
  test.each(Object.keys(OPERATIONS) as OperationName[])(
    '%s answers what its document says, and no more',
    async (name) => {
      const operation: Operation = OPERATIONS[name];
      const media: string = operation.media ?? 'application/json';
      const console = await aFullConsole();

      for (const path of EXAMPLES[name]) {
        const found = await console.get(API_PATH + path, { [CLIENT_HEADER]: 'test' });
        const pieces = media === 'application/json' ? [await found.json()] : piecesOf(media, await found.text());

        expect([path, found.status, found.headers.get('content-type')]).toEqual([
          path,
          200,
          expect.stringContaining(media),
        ]);
        // A schema leaves out what it does not know.
        expect([path, pieces.map((piece) => operation.answer.parse(piece))]).toEqual([path, pieces]);
      }
    },
  );

  /** They say who somebody is, or what they asked for: of nobody, there is nothing to say. */
  const PERSONAL: readonly OperationName[] = ['getMe', 'getRequest'];

  test.each(Object.keys(OPERATIONS) as OperationName[])('%s refuses strangers with a problem', async (name) => {
    const console = await aFullConsole({ isLocal: false });

    for (const path of EXAMPLES[name]) {
      const found = await console.get(API_PATH + path);

      expect([path, found.status]).toEqual([path, PERSONAL.includes(name) ? 401 : 404]);
      expect(found.headers.get('content-type')).toContain('application/problem+json');
    }
  });
});

describe('a deployment', () => {
  test('has what an answer to its plan needs, and no signature or other internal field', async () => {
    const console = await aFullConsole();

    const text = await (await console.get(`${API_PATH}/deployments/${RUNNING.id}?${LANE}`)).text();
    const { offers, seen } = DeploymentDetail.parse(JSON.parse(text));

    expect(offers).toEqual(['confirm', 'reject', 'extend', 'cancel']);
    expect(seen).toMatch(/^[0-9a-f]{64}$/);
    expect(text).not.toMatch(/signature|requestId|"order"|header\.\./);
  });

  test('that waits says how many go first, and which lock holds it back', async () => {
    const console = await aFullConsole();

    const found = await (await console.get(`${API_PATH}/deployments/${QUEUED}?${LANE}`)).json();

    expect(found).toMatchObject({ ahead: 1, lock: { kind: 'failed', sentence: 'a failed apply of def5678' } });
  });

  test('of a pull request can be confirmed for the merge by what its list says', async () => {
    const console = await aFullConsole();

    const pull = PullRequestDetail.parse(await (await console.get(`${API_PATH}/pulls/acme/infra/12`)).json());
    const preview = await (await console.get(`${API_PATH}/deployments/${PREVIEW}?${LANE}`)).json();

    expect(pull.previews[0]?.seen).toMatch(/^[0-9a-f]{64}$/);
    expect(preview).toMatchObject({ seen: pull.previews[0]?.seen, offers: expect.arrayContaining(['merge']) });
  });
});

describe('the log of a job', () => {
  test('comes as events of which each has its shape, and goes on behind the last one', async () => {
    const console = await aFullConsole();
    const path = `${API_PATH}/deployments/${RUNNING.id}/logs/plan/events?${LANE}`;

    const all = await (await console.get(path)).text();
    const rest = await (await console.get(path, { 'last-event-id': '15' })).text();

    const events = Array.from(all.matchAll(/event: (?<name>.*)\ndata: (?<data>.*)\n/g), ({ groups }) => groups);
    expect(events.map((event) => event?.['name'])).toEqual(['start', 'output', 'ended']);
    for (const event of events) {
      const data: unknown = JSON.parse(event?.['data'] ?? '');
      expect(LOG_EVENTS[event?.['name'] as keyof typeof LOG_EVENTS].parse(data)).toEqual(data);
    }
    expect(rest).not.toContain('event: output');
  });

  test('says with an event of its shape what it leaves out, for those who only want its end', async () => {
    const console = await aFullConsole({ lane: { running: RUNNING } });
    const path = `${API_PATH}/deployments/${RUNNING.id}/logs/plan/events?${LANE}&tail=yes&offset=0`;
    const writer = console.logs.of(DEFAULT_POOL).writer(JOB.id, { mask: [], onError: () => undefined });
    await writer.write(Buffer.alloc(1_500_000, 'line\n'));
    await writer.end();

    const all = await (await console.get(path)).text();

    const data = /event: skipped\ndata: (?<data>.*)\n/.exec(all)?.groups?.['data'] ?? '';
    expect(LOG_EVENTS.skipped.parse(JSON.parse(data)).bytes).toBeGreaterThan(1_000_000);
  });

  test('is a problem for programs when there is none', async () => {
    const console = await aFullConsole();

    const paths = [`${RUNNING.id}/logs/apply`, `${ENDED}/logs/plan/events`, `${RUNNING.id}/logs/none`];
    const answers = await Promise.all(paths.map((path) => console.get(`${API_PATH}/deployments/${path}?${LANE}`)));
    const problems = await Promise.all(answers.map((answer) => answer.json()));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(problems).toMatchObject([
      { detail: 'This deployment has no such job, or not yet.' },
      { detail: 'This deployment has no such job, or not yet.' },
      { detail: 'There is no such thing, or none that you may see.' },
    ]);
  });
});

describe('who asks', () => {
  test('is the person on this machine, for a program that says that it is one', async () => {
    const console = await aConsole({ isLocal: true });

    expect(await (await console.get('/api/v1/me', { [CLIENT_HEADER]: 'test' })).json()).toEqual({
      login: LOCAL_PERSON,
    });
  });

  test('is the owner of a token, with what it permits', async () => {
    const console = await aConsole();

    expect(await (await console.get('/api/v1/me', { authorization: `Bearer ${TOKEN}` })).json()).toEqual({
      login: 'robot',
      token: { name: 'ci', scopes: ['read', 'review'], repositories: ['acme/infra'] },
    });
    expect((await console.get('/api/v1/me', { authorization: 'Bearer nereid_other' })).status).toBe(401);
  });
});

describe('on the person’s own machine', () => {
  const unlock = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/api/v1/lanes/acme/infra/network/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ deployment: 'd0' }),
    });

  test('a program acts as that person', async () => {
    const console = await aFullConsole();

    const answer = await unlock(console.url, { [CLIENT_HEADER]: 'test' });

    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`../../../../requests/${REQUEST}`);
  });

  test('a page of another site does not, whatever it sends', async () => {
    const console = await aFullConsole();
    const origin = 'https://evil.example';

    const asked = await fetch(`${console.url}/api/v1/lanes/acme/infra/network/unlock`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': CLIENT_HEADER },
    });

    expect([...asked.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await unlock(console.url, { origin })).status).toBe(403);
    expect((await unlock(console.url, { origin, [CLIENT_HEADER]: 'test' })).status).toBe(403);
  });
});

/** A text, or the events of a stream. */
function piecesOf(media: string, text: string): readonly unknown[] {
  if (media !== 'text/event-stream') return [text];
  return Array.from(text.matchAll(/(?:id: (?<id>.*)\n)?event: (?<event>.*)\ndata: (?<data>.*)\n/g), ({ groups }) => {
    return { ...groups, data: JSON.parse(groups?.['data'] ?? '') as unknown };
  });
}
