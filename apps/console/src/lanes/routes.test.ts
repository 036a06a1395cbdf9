import { describe, expect, test } from '@jest/globals';
import { LaneDetail } from '@nereid/api';
import type { DeploymentStatus } from '@nereid/domain/deployment';
import { aDeployment, aPlan } from '@nereid/domain/testing';
import { anUndeployed, latestAs, lockOf } from '../fleet/testing.ts';
import { aConsole, aControl, aLaneRecord, LOCAL_PERSON, REPOSITORY, RUNNING } from '../testing.ts';

const NOW = '2026-11-22T10:00:00.000Z';
const WAITING = aDeployment({ status: 'awaiting-review', plan: aPlan() });
const ROLLOUT = `/rollouts/acme/infra/${RUNNING.revision.sha}`;
const PAGES = [
  '/',
  '/rollouts',
  ROLLOUT,
  `${ROLLOUT}/plans`,
  '/lanes',
  '/lanes/acme/infra/network',
  '/attention/fragment',
  '/lanes/fragment',
];

describe('what a page shows', () => {
  test('the first page leads to what waits for a person', async () => {
    const statuses = new Map([[RUNNING.id, 'awaiting-review' as const]]);
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING, merged: [WAITING] }, statuses });

    const page = await (await console.get('/')).text();

    expect(page).toContain(
      `Waiting for a review of <a href="deployments/${RUNNING.id}?lane=acme%2Finfra%2Fnetwork">deployment 3f2a8c1e</a>`,
    );
    expect(page).toContain('one deployment waits behind it');
    expect(page).toContain('<summary>Its root</summary>');
    expect(page).toContain('data-fragment="attention/fragment"');
  });

  test('before anything was deployed, the first page says how to begin, and no longer afterwards', async () => {
    const empty = await aConsole({ isLocal: true });
    const used = await aConsole({ isLocal: true, lane: { running: RUNNING } });

    const [first, later] = [await (await empty.get('/')).text(), await (await used.get('/')).text()];

    expect(first).toContain('<code>nereid setup</code>, once, makes the GitHub App');
    expect(first).toContain('<a href="doctor">The doctor</a>');
    expect(later).not.toContain('nereid setup');
  });

  test('a merge that is halted comes before everything else that needs a person', async () => {
    const waitsFor = { gate: 'soak', who: ['rerun', 'skip_soak'], wave: 1 } as const;
    const reason = 'is halted by wave 1 of 2 (canary): its check errors failed once';
    const halted = { ...RUNNING, progress: { ...RUNNING.progress, status: 'blocked', reason, waitsFor } } as const;
    const other = { ...WAITING, id: 'other', revision: { ...WAITING.revision, sha: 'e'.repeat(40) } };
    const console = await aConsole({ isLocal: true, lane: { running: halted } });
    await console.lanes.write({ ...aLaneRecord({ running: other }), rootName: 'dns' }, null);

    const page = await (await console.get('/')).text();

    const parts = ['id="waits"', `The next wave ${reason}.`, 'lanes/acme/infra/dns', 'id="works"'];
    const places = parts.map((part) => page.indexOf(part));
    expect(places).toEqual(places.toSorted((one, another) => one - another));
    expect(places).not.toContain(-1);
  });

  test('of the plans to review, those that ask this person come first; the last merges come after', async () => {
    const asking = (id: string, users: string[], receivedAt: string) => ({
      ...{ ...WAITING, id, receivedAt },
      root: { ...WAITING.root, permissions: { confirm: [{ users }] } },
    });
    const console = await aConsole({ isLocal: true, requests: aControl().requests });
    const lanes = { dns: asking('a', ['bob'], RUNNING.receivedAt), network: asking('b', [LOCAL_PERSON], NOW) };
    for (const [rootName, running] of Object.entries(lanes))
      await console.lanes.write({ ...aLaneRecord({ running }), rootName }, null);

    const page = await (await console.get('/')).text();

    expect(page.indexOf('href="lanes/acme/infra/network"')).toBeLessThan(page.indexOf('href="lanes/acme/infra/dns"'));
    expect(page).toContain(`href="rollouts/acme/infra/${RUNNING.revision.sha}"`);
  });

  test('the page of a lane has its queue and its history, also as of a time', async () => {
    const console = await aConsole({
      isLocal: true,
      lane: { running: RUNNING, merged: [{ ...WAITING, id: 'queued' }] },
    });
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
    const otherCase = await console.get('/lanes/Acme/Infra/network');
    expect([otherCase.status, await otherCase.text()]).toEqual([
      200,
      expect.stringContaining('deployments/applied?lane=acme%2Finfra%2Fnetwork'),
    ]);
  });

  test('while Temporal is away, every page is there and says so', async () => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING }, isTemporalAway: true });

    for (const path of PAGES) {
      const answer = await console.get(path);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Temporal does not answer')]);
    }
  });
});

describe('the API', () => {
  test.each([
    ['/lanes/acme/infra/none', 404],
    ['/lanes/acme/infra/a%2F..%2Fb', 404],
    ['/lanes/acme/infra/%ff', 400],
    ['/lanes/', 404],
    ['/lanes?state=good', 400],
    ['/lanes?limit=0', 400],
    ['/lanes?cursor=yesterday', 400],
    ['/lanes?cursor=a/b/c/d', 400],
    ['/lanes?repo=acme/infra', 400],
    ['/lanes?state=idle&state=locked', 400],
    [`/lanes?${'q=1&'.repeat(1_000)}`, 400],
    [`/lanes?text=${'x'.repeat(10_000)}`, 400],
    ['/lanes/acme/infra/network?at=yesterday', 400],
    ['/lanes/acme/infra/network?cursor=yesterday', 400],
    ['/lanes/acme/infra/network?limit=101', 400],
  ])('%s is refused with a problem: %d', async (path, status) => {
    const console = await aConsole({ isLocal: true, lane: { running: RUNNING } });

    const answer = await console.get(`/api/v1${path}`);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('the history of a lane', () => {
  const minute = (index: number) => new Date(Date.parse(NOW) + index * 60_000).toISOString();

  /** The deployments of these minutes. */
  async function withHistory(...statuses: readonly DeploymentStatus[]) {
    const console = await aConsole({ isLocal: true, lane: {} });
    for (const [index, status] of statuses.entries()) {
      const deployment = { ...aDeployment({ status }), id: `ended-${index}` };
      await console.records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: minute(index) });
    }
    const detail = async (query: string) =>
      LaneDetail.parse(await (await console.get(`/api/v1/lanes/acme/infra/network?${query}`)).json());
    return { ...console, detail };
  }

  test('comes in pages; a cursor of yesterday leads to the same place, whatever ended since', async () => {
    const { detail, records } = await withHistory('succeeded', 'rejected', 'succeeded', 'expired');
    const first = await detail('limit=2');
    const deployment = { ...aDeployment({ status: 'succeeded' }), id: 'newer' };
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: minute(9) });

    const last = await detail(`limit=2&cursor=${first.next ?? ''}`);

    expect(first.history.map(({ id }) => id)).toEqual(['ended-3', 'ended-2']);
    expect(last.history.map(({ id }) => id)).toEqual(['ended-1', 'ended-0']);
    expect(last).not.toHaveProperty('next');
  });

  test('leads from page to page, at the time that was asked for', async () => {
    const { get } = await withHistory(...Array.from({ length: 52 }, () => 'rejected' as const));
    const at = `at=${encodeURIComponent(minute(100))}`;

    const first = await (await get(`/lanes/acme/infra/network?${at}`)).text();
    const [, earlier = ''] = /href="(\?at=[^"]*&amp;cursor=[^"]*)"/.exec(first) ?? [];
    const second = await (await get(`/lanes/acme/infra/network${earlier.replaceAll('&amp;', '&')}`)).text();

    expect(first).toContain(`Nothing had been deployed by`);
    expect(second).toContain('ended-0?');
    expect(second).not.toContain('Earlier');
  });

  test('says what was deployed at any time, however much ended since', async () => {
    const left = Array.from({ length: 60 }, () => 'plan-failed' as const);
    const { detail, get } = await withHistory('succeeded', 'apply-failed', ...left);

    expect((await detail(`at=${minute(0)}`)).deployedThen).toMatchObject({ deploymentId: 'ended-0' });
    expect((await detail(`at=${minute(61)}`)).deployedThen).toMatchObject({ deploymentId: 'ended-1' });
    expect(await (await get(`/lanes/acme/infra/network?at=${minute(61)}`)).text()).toMatch(
      /was deployed, but not as a whole, since\s+2026-11-22 10:01:00 UTC/,
    );
  });

  test('does not go beyond the time that was asked for, whatever the cursor says', async () => {
    const { detail } = await withHistory('succeeded', 'rejected', 'succeeded', 'expired');
    const { next = '' } = await detail('limit=1');

    expect((await detail(`at=${minute(1)}&cursor=${next}`)).history.map(({ id }) => id)).toEqual([
      'ended-1',
      'ended-0',
    ]);
  });

  test('is there although one of its records is broken, and the page says so', async () => {
    const { get, store } = await withHistory('succeeded', 'rejected');
    await store.put('deployments/acme/infra/network/20261122T100500000Z-broken.json', Buffer.from('{'));

    const page = await (await get('/lanes/acme/infra/network')).text();

    expect(page).toContain('ended-1');
    expect(page).toContain('One record of these cannot be read');
  });

  test('leads from a skipped deployment to the one that carries it', async () => {
    const { get, records } = await withHistory('succeeded');
    const carrier = { deploymentId: 'ended-0', revision: RUNNING.revision.sha };
    const deployment = { ...aDeployment({ status: 'skipped' }), id: 'carried', carrier };
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: minute(-1) });

    expect(await (await get('/lanes/acme/infra/network')).text()).toMatch(
      /Skipped<\/span> for\s+<a href="..\/..\/..\/deployments\/ended-0\?/,
    );
  });
});

describe('how far a lane is behind its branch', () => {
  const undeployed = [anUndeployed(7, { reason: 'Error: no such module' }), anUndeployed(8)];
  const lane = { latest: latestAs('succeeded'), undeployed };

  test('is on its page, with each of the revisions', async () => {
    const { get } = await aConsole({ isLocal: true, lane });

    const page = await (await get('/lanes/acme/infra/network')).text();

    expect(page).toContain('Commits that are not deployed (2)');
    expect(page).toMatch(/deployments\/left-8\?[\s\S]*deployments\/left-7\?/);
  });

  test('is in the fleet, and a failed plan needs a person', async () => {
    const { get } = await aConsole({ isLocal: true, lane });

    expect(await (await get('/lanes')).text()).toMatch(
      /2 commits behind, up to <code>0000000<\/code> <bdi>Change 8<\/bdi>/,
    );
    expect(await (await get('/')).text()).toMatch(
      /Not deployed<\/span>[\s\S]*The plan of <a[^>]*>0000000<\/a> by @alice/,
    );
    expect(await (await get('/lanes?state=undeployed&person=Alice')).text()).toContain('acme/infra/network');
    expect(await (await get('/lanes?person=nobody')).text()).toContain('No lane matches these filters.');
  });
});

test('the fleet keeps its filters from page to page', async () => {
  const { get, lanes } = await aConsole({ isLocal: true, lane: { lock: lockOf('manual') } });
  await lanes.write({ ...aLaneRecord({ lock: lockOf('manual') }), rootName: 'other' }, null);

  const page = await (await get('/lanes?person=BOB&state=locked&limit=1')).text();

  expect(page).toContain('value="BOB"');
  expect(page).toContain('href="lanes?state=locked&amp;person=BOB&amp;limit=1&amp;cursor=acme%2Finfra%2Fnetwork"');
});

test.each([...PAGES, '/api/v1/lanes', '/api/v1/attention', '/api/v1/openapi.json', '/api'])(
  '%s is not there for people with links',
  async (path) => {
    const console = await aConsole({ lane: { running: RUNNING } });

    expect((await console.get(path)).status).toBe(404);
  },
);
