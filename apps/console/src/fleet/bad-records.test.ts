/** Pages about lanes, whatever their records hold and however storage behaves. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Attention, DeploymentList, LaneDetail, LaneList } from '@nereid/api';
import type { LaneRecord } from '@nereid/domain/lane';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import type { ObjectStore } from '@nereid/storage';
import { timeoutsWithoutStalls } from '@nereid/test-kit/timeouts-without-stalls';
import { aConsole, JOB, REPOSITORY, RUNNING } from '../testing.ts';
import { anUndeployed, latestAs, lockOf } from './testing.ts';

const ROLLOUT = `/rollouts/acme/infra/${RUNNING.revision.sha}`;
const LANE = '/lanes/acme/infra/network';
const PAGES = ['/', '/rollouts', ROLLOUT, '/lanes', LANE, '/attention/fragment', '/lanes/fragment', `${LANE}/fragment`];

/** The parts of a record that others write: the messages of commits, names, what GitHub and Terraform answer. */
function recordsOf(text: string): readonly Partial<LaneRecord>[] {
  const revision = { ...RUNNING.revision, title: text, author: text };
  const running = { ...RUNNING, revision, requestedBy: text, progress: { ...RUNNING.progress, reason: text } };
  const left = anUndeployed(7, { revision: { ...revision, position: 7 }, reason: text, requestedBy: text });
  const waiting = { ...aDeployment({ status: 'queued', reason: text }), id: 'w', revision, requestedBy: text };
  return [
    { running, merged: [waiting] },
    { running: { ...running, progress: { ...running.progress, status: 'blocked' } }, merged: [waiting] },
    { merged: [waiting], undeployed: [left] },
    { undeployed: [left], latest: latestAs('succeeded') },
    { lock: { ...lockOf('manual'), by: text }, merged: [waiting] },
  ];
}

/** A console whose lane has also ended a deployment with this text. */
async function aConsoleWith(lane: Partial<LaneRecord>, text: string, more = {}) {
  const progress = aDeployment({ status: 'awaiting-review', plan: aPlan() }).progress;
  const console = await aConsole({ isLocal: true, lane, progress, ...more });
  const revision = { ...RUNNING.revision, title: text, author: text };
  const deployment = { ...aDeployment({ status: 'rejected' }), id: 'ended', revision, requestedBy: text };
  await console.records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: new Date().toISOString() });
  return console;
}

describe('a text of others', () => {
  const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;

  test.each(recordsOf(HOSTILE).map((lane, index) => [index + 1, lane] as const))(
    'is text on every page: record %d',
    async (_index, lane) => {
      const { get } = await aConsoleWith(lane, HOSTILE);

      for (const path of [...PAGES, `/lanes?text=${encodeURIComponent(HOSTILE)}`]) {
        const page = await (await get(path)).text();
        expect([path, /<script>alert|<img|onerror='/.test(page)]).toEqual([path, false]);
      }
    },
  );

  test.each(recordsOf('\u202eevil\u2066 \u200bשלום مرحبا\u2069').map((lane, index) => [index + 1, lane] as const))(
    'does not turn the text around it, whatever its direction: record %d',
    async (_index, lane) => {
      const { get } = await aConsoleWith(lane, '\u202eevil\u2066 \u200bשלום مرحبا\u2069');

      const pages = await Promise.all(PAGES.map(async (path) => (await get(path)).text()));

      expect(pages.join('')).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]/);
      expect(pages.join('')).toContain('שלום مرحبا');
    },
  );

  test.each(recordsOf('x'.repeat(100 * 1_024)).map((lane, index) => [index + 1, lane] as const))(
    'of 100 KB makes no page long, and no answer wrong: record %d',
    async (_index, lane) => {
      const { get } = await aConsoleWith(lane, 'x'.repeat(100 * 1_024));

      for (const path of PAGES) expect((await (await get(path)).text()).length).toBeLessThan(20_000);
      for (const [path, answer] of [
        ['/lanes', LaneList],
        [LANE, LaneDetail],
        ['/attention', Attention],
      ] as const) {
        const found: unknown = await (await get(`/api/v1${path}`)).json();
        expect(answer.parse(found)).toEqual(found);
      }
    },
  );
});

describe('a storage', () => {
  const SAYS = 'Storage does not answer';

  beforeEach(timeoutsWithoutStalls);
  afterEach(() => void jest.useRealTimers());

  test('that fails takes nothing away that was known, and every page says so', async () => {
    const { get, store } = await aConsoleWith({ running: RUNNING }, 'Ended');
    for (const path of PAGES) await get(path);
    failing(store, () => Promise.reject(new Error('away')));

    for (const path of ['/', '/lanes', LANE, ROLLOUT]) {
      const page = await (await get(path)).text();
      expect([path, page.includes(SAYS), page.includes('network')]).toEqual([path, true, true]);
    }
  });

  test('that hangs is left alone after a while: pages show what they have, and say so', async () => {
    const { get, store } = await aConsoleWith({ running: RUNNING }, 'Ended', { patienceMs: 50 });
    await known(get);
    failing(store, () => new Promise(() => undefined));

    for (const path of ['/', '/lanes', LANE, '/rollouts', ROLLOUT]) {
      const page = await (await get(path)).text();
      expect([path, page.includes(SAYS)]).toEqual([path, true]);
    }
    expect(await (await get(LANE)).text()).toContain('Not known: storage does not answer.');
  });

  test('that hangs lets pages that are made of nothing else say so, and not wait for ever', async () => {
    const { get, store } = await aConsoleWith({ running: RUNNING }, 'Ended', { patienceMs: 50 });
    await known(get);
    failing(store, () => new Promise(() => undefined));
    const ended = '11111111-0d4b-4e7a-9c55-1f0e6b7a2d90?lane=acme/infra/network';

    for (const path of ['/insights', '/activity', '/activity.csv', `/deployments/${ended}`, '/pulls/acme/infra/1']) {
      const answer = await get(path);
      expect([path, answer.status, (await answer.text()).includes('did not answer')]).toEqual([path, 503, true]);
    }
    const list = DeploymentList.parse(await (await get('/api/v1/deployments')).json());
    expect([list.items.map(({ id }) => id), list.unavailable]).toEqual([[RUNNING.id], ['storage']]);
  });

  test('that hangs takes no deployment away that runs; its log says that it cannot be read', async () => {
    const { get, store, writeLog } = await aConsole({
      isLocal: true,
      live: { running: aDeployment({ status: 'planning', jobs: { plan: JOB } }) },
      patienceMs: 50,
    });
    await writeLog('planned\n');
    failing(store, () => new Promise(() => undefined));
    const path = `/deployments/${RUNNING.id}`;

    expect((await get(`${path}?lane=acme/infra/network`)).status).toBe(200);
    expect((await get(`${path}/logs/plan?lane=acme/infra/network`)).status).toBe(503);
  });

  test('that hangs from the start lets pages say that nothing is known, and not that nothing is there', async () => {
    const { get, store } = await aConsoleWith({ running: RUNNING }, 'Ended', { patienceMs: 50 });
    failing(store, () => new Promise(() => undefined));

    expect(await (await get('/lanes')).text()).toContain(SAYS);
    expect((await get(LANE)).status).toBe(503);
    expect((await get(`/api/v1${ROLLOUT}`)).status).toBe(503);
  });
});

/** On a busy machine, the first pages may come before the lanes were read. */
async function known(get: (path: string) => Promise<Response>): Promise<void> {
  while (!(await (await get('/lanes')).text()).includes('network')) continue;
}

function failing(store: ObjectStore, fail: () => Promise<never>): void {
  const listing = {
    [Symbol.asyncIterator]: () => ({ next: fail }),
  };
  Object.assign(store, { get: fail, list: () => listing, listStamped: () => listing });
}
