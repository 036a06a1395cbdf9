import { describe, expect, test } from '@jest/globals';
import { StopList } from '@nereid/api';
import type { Stop } from '@nereid/domain/gates';
import type { Signed } from '@nereid/domain/signed';
import { createStopRecords } from '@nereid/storage';
import { lettingIn } from '../login/testing.ts';
import { aConsole, aControl, API_TOKEN, TOKEN, type Outside } from '../testing.ts';
import { aPoolStop, aStop, CONTROL_KEYS, isoIn } from './testing.ts';

const REPOSITORY = { owner: 'acme', name: 'infra' };
const HOSTILE = '<b>an incident';

async function stopped(outside: Outside) {
  const console = await aConsole({ controlKeys: CONTROL_KEYS, ...outside });
  const records = createStopRecords(console.store);
  const ofPools = [await aPoolStop('*'), await aPoolStop('gpu', { until: isoIn(-1_000) })];
  await records.changePools((found) => ({ ...found, stops: ofPools }));
  const stops = [await aStop({ directories: ['prod/**'], reason: HOSTILE })];
  await records.change(REPOSITORY, (found) => ({ ...found, stops }));
  return { ...console, records };
}

const OPERATORS = { isLocal: true, requests: aControl().requests } as const;

test('what is stopped is listed with who, why and until when, without what is over', async () => {
  const { get } = await stopped({ isLocal: true, lane: {} });

  const list = StopList.parse(await (await get('/api/v1/stops')).json());
  const page = await (await get('/stops')).text();

  const terms = { by: 'ada', at: expect.any(String), until: expect.any(String) };
  expect(list).toEqual({
    items: [
      { of: 'all', ...terms, reason: 'an incident' },
      { of: 'directories', repository: 'acme/infra', directories: ['prod/**'], ...terms, reason: HOSTILE },
    ],
  });
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
  expect(page).toContain('None of the repositories that you may see is stopped');
  expect(page).not.toMatch(/Not stopped|All repositories/);
});

describe('a stop in storage', () => {
  const seen = async ({ get }: Pick<Awaited<ReturnType<typeof aConsole>>, 'get'>) => ({
    list: StopList.parse(await (await get('/api/v1/stops')).json()),
    page: await (await get('/stops')).text(),
  });
  const store = async (stops: readonly Signed<Stop>[], outside: Outside = {}) => {
    const console = await aConsole({ isLocal: true, lane: {}, controlKeys: CONTROL_KEYS, ...outside });
    await createStopRecords(console.store).change(REPOSITORY, (found) => ({ ...found, stops }));
    return seen(console);
  };

  test.each<[string, () => Promise<Signed<Stop>>]>([
    ['that somebody else signed', async () => ({ ...(await aStop()), signature: 'a..b' })],
    ['that was signed for another repository', () => aStop({ repository: { ...REPOSITORY, name: 'app' } })],
  ])('%s is counted, and not shown', async (_what, forged) => {
    const { list, page } = await store([await forged()]);

    expect(list).toEqual({ items: [], forged: 1 });
    expect(page).toContain('One stop in storage lacks the signature of control, so it stops nothing');
    expect(page).not.toContain('an incident');
  });

  test('whose end was moved to the past counts as forged, not as ended', async () => {
    const lifted = await aStop();
    const { list, page } = await store([{ ...lifted, body: { ...lifted.body, until: isoIn(-1_000) } }, await aStop()]);

    expect(list).toMatchObject({ items: [{ repository: 'acme/infra' }], forged: 1 });
    expect(page).toContain('Somebody has forged or changed the record');
  });

  test('that is forged is not counted for people who are not told of its pool', async () => {
    const login = { policy: undefined, askAccess: lettingIn(() => false), tokens: [API_TOKEN] } as const;
    const console = await aConsole({ lane: {}, controlKeys: CONTROL_KEYS, login });
    const forged = { ...(await aPoolStop('*')), signature: 'a..b' };
    await createStopRecords(console.store).changePools((found) => ({ ...found, stops: [forged] }));

    const answer = await console.get('/api/v1/stops', { authorization: `Bearer ${TOKEN}` });

    expect(await answer.json()).toEqual({ items: [] });
  });

  test('is marked as not verified by a console that has no key of control', async () => {
    const { list, page } = await store([{ ...(await aStop()), signature: 'a..b' }], { controlKeys: [] });

    expect(list).toMatchObject({ items: [{ repository: 'acme/infra' }], areUnverified: true });
    expect(page).toContain('Not verified: stopped; ends');
    expect(page).toContain('Anybody');
    expect(page).not.toContain('<strong>Stopped;');
  });
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
