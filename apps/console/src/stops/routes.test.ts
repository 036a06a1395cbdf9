import { describe, expect, test } from '@jest/globals';
import { StopList } from '@nereid/api';
import { createStopRecords } from '@nereid/storage';
import { lettingIn } from '../login/testing.ts';
import { aConsole, aControl, API_TOKEN, TOKEN, type Outside } from '../testing.ts';

const isoIn = (ms: number) => new Date(Date.now() + ms).toISOString();
const TERMS = { version: 1, requestId: 'r1', by: 'ada', reason: '<b>an incident', at: isoIn(-60_000) } as const;
const SIGNED = { signature: 'a..b' };

async function stopped(outside: Outside) {
  const console = await aConsole(outside);
  const records = createStopRecords(console.store);
  const until = isoIn(3_600_000);
  await records.changePools((found) => ({
    ...found,
    stops: [
      { body: { ...TERMS, pool: '*', until }, ...SIGNED },
      { body: { ...TERMS, pool: 'gpu', until: isoIn(-1_000) }, ...SIGNED },
    ],
  }));
  const repository = { owner: 'acme', name: 'infra' };
  await records.change(repository, (found) => ({
    ...found,
    stops: [{ body: { ...TERMS, repository, directories: ['prod/**'], until }, ...SIGNED }],
  }));
  return { ...console, records };
}

const OPERATORS = { isLocal: true, requests: aControl().requests } as const;

test('what is stopped is listed with who, why and until when, without what is over', async () => {
  const { get } = await stopped({ isLocal: true, lane: {} });

  const { items, areUnreadable } = StopList.parse(await (await get('/api/v1/stops')).json());
  const page = await (await get('/stops')).text();

  expect(items).toMatchObject([
    { pool: '*', by: 'ada' },
    { repository: 'acme/infra', directories: ['prod/**'] },
  ]);
  expect(areUnreadable).toBeUndefined();
  expect(page).toContain('&lt;b&gt;an incident');
  expect(page).not.toContain('<b>an incident');
  expect(page).not.toContain('class="act"');
});

test('an operator has the buttons that stop and thaw all repositories, and another person has not', async () => {
  const forms = async (outside: Outside) =>
    Array.from(
      (await (await (await stopped(outside)).get('/stops')).text()).matchAll(/action="(api[^"]+)"/g),
      ([, to]) => to,
    );

  expect(await forms({ ...OPERATORS, lane: {} })).toEqual([
    'api/v1/pools/*/stop',
    'api/v1/pools/*/thaw',
    'api/v1/repositories/acme/infra/thaw',
  ]);
  const login = { policy: { mode: 'local', as: 'alice' }, operators: ['bob'] } as const;
  expect(await forms({ ...OPERATORS, lane: {}, login })).toEqual(['api/v1/repositories/acme/infra/thaw']);
});

test('people who see no repository are not told of stops of pools, and not that there are none', async () => {
  const login = { policy: undefined, askAccess: lettingIn(() => false), tokens: [API_TOKEN] } as const;
  const { get } = await stopped({ lane: {}, login });
  const headers = { authorization: `Bearer ${TOKEN}` };

  const page = await (await get('/stops', headers)).text();

  expect(StopList.parse(await (await get('/api/v1/stops', headers)).json())).toEqual({ items: [] });
  expect(page).toContain('No repository is stopped of those that you may see');
  expect(page).not.toMatch(/Not stopped|All repositories/);
});

describe('a record of pools that cannot be read', () => {
  test('is said, because nothing begins anywhere', async () => {
    const { get, store } = await stopped({ isLocal: true, lane: {} });
    await store.put('stops/pools.json', Buffer.from('{'));

    expect(StopList.parse(await (await get('/api/v1/stops')).json())).toMatchObject({
      items: [{ repository: 'acme/infra' }],
      areUnreadable: true,
    });
    const page = await (await get('/stops')).text();
    expect(page).toContain('nothing begins anywhere');
    expect(page).not.toContain('Not stopped');
  });
});

describe('a request to stop', () => {
  const ask = async (token: Partial<typeof API_TOKEN>, body: object) => {
    const control = aControl();
    const login = {
      policy: undefined,
      tokens: [{ ...API_TOKEN, repositories: ['*/*'], ...token }],
      operators: [API_TOKEN.login],
    } as const;
    const { url } = await aConsole({ requests: control.requests, lane: {}, login });
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/pools/*/stop`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, asked: control.asked };
  };
  const BODY = { for: '2h', reason: 'an incident' };

  test('of an operator goes to control', async () => {
    const { status, asked } = await ask({ scopes: ['stop'] }, BODY);

    expect(status).toBe(200);
    expect(asked).toMatchObject([{ request: { action: 'stop_pool', pool: '*', ...BODY } }]);
  });

  test.each<[string, Partial<typeof API_TOKEN>, object, number]>([
    ['with a token for other things', { scopes: ['read'] }, BODY, 403],
    ['with a token for some repositories', { scopes: ['stop'], repositories: ['acme/*'] }, BODY, 403],
    ['with a time that is none', { scopes: ['stop'] }, { ...BODY, for: 'soon' }, 400],
    ['without a reason', { scopes: ['stop'] }, { for: '2h' }, 400],
  ])('%s goes no further', async (_what, token, body, expected) => {
    const { status, asked } = await ask(token, body);

    expect(status).toBe(expected);
    expect(asked).toEqual([]);
  });
});
