import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ActivityList, DeploymentList, Insights } from '@nereid/api';
import { hashOfToken, type ApiToken } from '@nereid/config';
import { aDeployment, anApplyAudit } from '@nereid/domain/testing';
import { createAuditTrail, type ObjectStore } from '@nereid/storage';
import { timeoutsWithoutStalls } from '@nereid/test-kit/timeouts-without-stalls';
import { clockAt } from '../login/fixtures/clock.ts';
import { TOKEN } from '../login/testing.ts';
import { aConsole, REPOSITORY } from '../testing.ts';

afterEach(() => void jest.useRealTimers());

const NOW = new Date().toISOString();

describe('the audit trail', () => {
  test('is a page and an answer, newest first', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await happened(store, ['one', 'two']);

    const { items } = ActivityList.parse(await (await get('/api/v1/activity')).json());
    const page = await (await get('/activity')).text();

    expect(items.map(({ id }) => id)).toEqual(['two', 'one']);
    expect(page).toContain('Applied aaaaaaa to network');
    expect(page).toContain('aria-current="page"');
    expect(await (await get('/activity?action=confirm')).text()).toMatch(/value="confirm"\s+selected/);
  });

  test('has pages, each of which goes on where the one before ended', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await happened(store, ['one', 'two', 'three']);

    const first = ActivityList.parse(await (await get('/api/v1/activity?limit=2')).json());
    const rest = ActivityList.parse(await (await get(`/api/v1/activity?limit=2&cursor=${first.next ?? ''}`)).json());

    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(['two', 'three', 'one']);
  });

  test('is a file for spreadsheets and for programs', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await happened(store, ['one']);

    const csv = await get('/activity.csv');
    const lines = await (await get('/activity.jsonl?person=alice')).text();

    expect(csv.headers.get('content-disposition')).toContain('activity.csv');
    expect((await csv.text()).split('\r\n')[0]).toMatch(/^at,state,action,person/);
    expect(lines.split('\n').filter((line) => line !== '')).toHaveLength(1);
    expect(await (await get('/activity.jsonl?person=nobody')).text()).toBe('');
  });

  test('keeps the days that were chosen, in its fields, its links and its files', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    for (const [day, id] of [
      ['2026-11-20', 'earlier'],
      ['2026-11-21', 'within'],
      ['2026-11-22', 'later'],
    ] as const)
      await createAuditTrail(store).append(`${day}T23:59:59.999Z`, id, {
        ...anApplyAudit({ id, startedAt: NOW }),
        rootName: id,
      });
    const chosen = 'from=2026-11-21&to=2026-11-21';

    const page = await (await get(`/activity?${chosen}&repository=&person=`)).text();
    const csv = await (await get(`/activity.csv?${chosen}`)).text();
    const { items } = ActivityList.parse(await (await get(`/api/v1/activity?${chosen}`)).json());

    expect(page).toContain('<input type="date" name="from" value="2026-11-21" />');
    expect(page).toContain('<input type="date" name="to" value="2026-11-21" />');
    expect(page).toContain('href="activity.csv?from=2026-11-21&amp;to=2026-11-21"');
    for (const text of [page, csv, JSON.stringify(items)])
      expect(text.match(/earlier|within|later/g)?.filter((id) => id !== 'within')).toEqual([]);
  });

  test('keeps them on the way to earlier events as well', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await happened(store, ['one', 'two']);

    const page = await (await get('/activity?from=2026-11-01T00:00:00Z&limit=1')).text();

    expect(page).toMatch(/href="activity\?from=2026-11-01T00%3A00%3A00Z&amp;cursor=[\w-]+">Earlier/);
    expect(page).toContain('<input type="text" name="from" value="2026-11-01T00:00:00Z" />');
  });

  test('shows hostile names as text', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await createAuditTrail(store).append(NOW, 'x', {
      ...anApplyAudit({ id: 'x', startedAt: NOW }),
      rootName: '<script>alert(1)</script>',
    });

    const page = await (await get('/activity')).text();

    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;');
  });

  test.each(['cursor=yesterday', 'limit=0', 'limit=9999', 'from=yesterday', 'repository=a/b/c'])(
    'does not understand %s',
    async (query) => {
      const { get } = await aConsole({ isLocal: true });

      const answer = await get(`/api/v1/activity?${query}`);

      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect((await get(`/activity?${query}`)).status).toBe(400);
    },
  );
});

describe('while storage does not answer for one day', () => {
  const DAY_MS = 24 * 3_600_000;
  const YESTERDAY = new Date(Date.parse(NOW) - DAY_MS).toISOString();
  const MISSING = YESTERDAY.slice(0, 10);

  test.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('when %s, pages and answers have the other days and name the missing one', async (_how, answer) => {
    timeoutsWithoutStalls();
    const { get, store, records } = await aConsole({ isLocal: true, patienceMs: 2_000 });
    await happened(store, ['today']);
    const deployment = aDeployment({ status: 'succeeded' });
    await records.write({ version: 1, repository: REPOSITORY, deployment, endedAt: NOW });
    failingAt(store, MISSING.replaceAll('-', '/'), answer);

    const [page, insightsPage] = [await get('/activity'), await get('/insights?days=7')];
    const activity = ActivityList.parse(await (await get('/api/v1/activity')).json());
    const insights = Insights.parse(await (await get('/api/v1/insights?days=7')).json());
    const deployments = DeploymentList.parse(await (await get('/api/v1/deployments')).json());

    expect([page.status, insightsPage.status]).toEqual([200, 200]);
    for (const text of [await page.text(), await insightsPage.text()])
      expect(text).toContain(`Storage does not answer for ${MISSING}`);
    expect([activity.missing, activity.items.map(({ id }) => id)]).toEqual([[MISSING], ['today']]);
    expect([insights.missing, insights.perDay.at(-1)?.succeeded]).toEqual([[MISSING], 1]);
    expect([deployments.unavailable, deployments.items.length]).toEqual([['storage'], 1]);
  });

  test('no file is half: it is refused, which is said', async () => {
    const { get, store } = await aConsole({ isLocal: true });
    await happened(store, ['today']);
    failingAt(store, MISSING.replaceAll('-', '/'), () => Promise.reject(new Error('away')));

    expect((await get('/activity.csv')).status).toBe(503);
    expect((await get(`/activity.csv?from=${NOW.slice(0, 10)}`)).status).toBe(200);
  });
});

test('a file ends for people who are nobody any more', async () => {
  const tokens: ApiToken[] = [
    {
      name: 'ci',
      sha256: hashOfToken(TOKEN),
      login: 'robot',
      scopes: ['read'],
      repositories: ['*/*'],
      expires: '2999',
    },
  ];
  const { get, store } = await aConsole({ login: { policy: undefined, tokens } });
  // More than the first page of a file; the second one waits for the day before.
  await Promise.all(Array.from({ length: 501 }, (_, index) => happened(store, [`e${index}`])));
  const before = new Date(Date.parse(NOW) - 24 * 3_600_000).toISOString().slice(0, 10);
  failingAt(store, before.replaceAll('-', '/'), () => new Promise<never>(() => undefined));
  const file = await get('/activity.jsonl', { authorization: `Bearer ${TOKEN}` });

  tokens.splice(0);
  clockAt(6_000);

  await expect(file.text()).rejects.toThrow('terminated');
});

/** A storage that answers for everything but what is below this folder of a day. */
function failingAt(store: ObjectStore, day: string, answer: () => Promise<never>): void {
  const list = store.listStamped.bind(store);
  store.listStamped = (prefix, options) =>
    prefix.includes(day) ? { [Symbol.asyncIterator]: () => ({ next: answer }) } : list(prefix, options);
}

describe('nothing of it is shown', () => {
  const PATHS = ['/activity', '/activity.csv', '/insights', '/hosts', '/api/v1/activity', '/api/v1/hosts'];

  test.each(PATHS)('shows nothing of the trail where pages open by their link: %s', async (path) => {
    const { get } = await aConsole();

    expect((await get(path)).status).toBe(404);
  });

  test.each(PATHS)('says that the storage is away, and shows nothing of the trail: %s', async (path) => {
    const { get, store } = await aConsole({ isLocal: true });
    store.list = store.listStamped = () => {
      throw new Error('away');
    };

    expect((await get(path)).status).toBe(503);
  });
});

async function happened(store: ObjectStore, ids: readonly string[]): Promise<void> {
  for (const id of ids) await createAuditTrail(store).append(NOW, id, anApplyAudit({ id, startedAt: NOW }));
}
