import { describe, expect, test } from '@jest/globals';
import { API_PATH, openApi } from '@nereid/api';
import { aDeployment, aPlan } from '@nereid/github/testing';
import { aConsole, laneWith, REPOSITORY, RUNNING } from '../testing.ts';

const HOSTILE = '<script>alert(1)</script>';
const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const ROLLOUT = `/rollouts/acme/infra/${RUNNING.revision.sha}`;
const PAGES = [
  '/',
  '/rollouts',
  ROLLOUT,
  '/lanes',
  '/lanes/acme/infra/network',
  '/attention/fragment',
  '/lanes/fragment',
];

describe('what a page shows', () => {
  test('the first page leads to what waits for a person', async () => {
    const statuses = new Map([[RUNNING.id, 'awaiting-review' as const]]);
    const console = await aConsole({ isLocal: true, lane: laneWith(RUNNING, [WAITING]), statuses });

    const page = await (await console.get('/')).text();

    expect(page).toContain('Waiting for a review');
    expect(page).toContain('one deployment waits behind it');
    expect(page).toContain(`href="deployments/${RUNNING.id}?lane=acme%2Finfra%2Fnetwork"`);
    expect(page).toContain('data-fragment="attention/fragment"');
  });

  test('the page of a lane has its queue and its history, also as of a time', async () => {
    const console = await aConsole({ isLocal: true, lane: laneWith(RUNNING, [{ ...WAITING, id: 'queued' }]) });
    const applied = { ...aDeployment({ status: 'succeeded', plan: aPlan() }), id: 'applied' };
    const record = { version: 1, repository: REPOSITORY, deployment: applied } as const;
    await console.records.write({ ...record, endedAt: '2026-02-01T10:00:00.000Z' });

    const page = await (await console.get('/lanes/acme/infra/network')).text();
    const then = await (await console.get('/lanes/acme/infra/network?at=2026-02-02T00:00:00Z')).text();
    const before = await (await console.get('/lanes/acme/infra/network?at=2026-01-02T00:00:00Z')).text();

    expect(page).toContain('Waits, in this order (1)');
    expect(page).toContain('href="../../../deployments/applied?lane=acme%2Finfra%2Fnetwork"');
    expect(then).toContain('was deployed, since 2026-02-01 10:00:00 UTC');
    expect(before).toContain('Nothing had been deployed by 2026-01-02 00:00:00 UTC.');
  });

  test('a merge has all its roots, those that ended and those under way', async () => {
    const statuses = new Map([[RUNNING.id, 'awaiting-review' as const]]);
    const console = await aConsole({ isLocal: true, lane: laneWith(RUNNING), statuses });
    const deployment = aDeployment({ status: 'succeeded', plan: aPlan() });
    const ended = { ...deployment, id: 'applied', root: { ...deployment.root, name: 'database' } };
    const record = { version: 1, repository: REPOSITORY, endedAt: new Date().toISOString() } as const;
    await console.records.write({ ...record, deployment: ended });

    const list = await (await console.get('/rollouts')).text();
    const page = await (await console.get(ROLLOUT)).text();

    expect(list).toContain(`href="rollouts/acme/infra/${RUNNING.revision.sha}"`);
    expect(list).toContain('1 to review');
    expect(page).toContain('lanes/acme/infra/database');
    expect(page).toContain('Waiting for a review');
  });

  test('names from commits are text', async () => {
    const revision = { ...RUNNING.revision, title: HOSTILE };
    const console = await aConsole({ isLocal: true, lane: laneWith({ ...RUNNING, revision }) });

    for (const path of [...PAGES, `/lanes?text=${encodeURIComponent(HOSTILE)}`])
      expect(await (await console.get(path)).text()).not.toContain(HOSTILE);
  });

  test('while Temporal is away, every page is there and says so', async () => {
    const console = await aConsole({ isLocal: true, lane: laneWith(RUNNING), isTemporalAway: true });

    for (const path of PAGES) {
      const answer = await console.get(path);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Temporal does not answer')]);
    }
  });
});

describe('the API', () => {
  test('has its document', async () => {
    const console = await aConsole({ isLocal: true });

    expect(await (await console.get(`${API_PATH}/openapi.json`)).json()).toEqual(openApi());
  });

  test.each([
    ['/lanes/acme/infra/none', 404],
    ['/lanes/acme/infra/a%2F..%2Fb', 404],
    ['/lanes/acme/infra/%ff', 400],
    ['/lanes/', 404],
    ['/lanes?state=good', 400],
    ['/lanes?limit=0', 400],
    ['/lanes/acme/infra/network?at=yesterday', 400],
  ])('%s is refused with a problem: %d', async (path, status) => {
    const console = await aConsole({ isLocal: true, lane: laneWith(RUNNING) });

    const answer = await console.get(`/api/v1${path}`);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });
});

test.each([...PAGES, '/api/v1/lanes', '/api/v1/attention', '/api/v1/openapi.json'])(
  '%s is not there for people with links',
  async (path) => {
    const console = await aConsole({ lane: laneWith(RUNNING) });

    expect((await console.get(path)).status).toBe(404);
  },
);
