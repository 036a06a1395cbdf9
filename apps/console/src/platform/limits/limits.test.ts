import { describe, expect, test } from '@jest/globals';
import { hashOfToken } from '@nereid/config';
import { aConsole, RUNNING, TOKEN } from '../../testing.ts';
import { readEvents } from '../streams/testing.ts';
import { networkOf } from './holder.ts';
import { createRequestLimits, type RequestRates } from './request-limits.ts';

const RATES: RequestRates = { person: 3, link: 3, address: 5 };
const OTHER_TOKEN = 'nereid_other';
const OTHER = {
  ...{ name: 'other', sha256: hashOfToken(OTHER_TOKEN), login: 'robot', repositories: ['acme/infra'] },
  ...{ scopes: ['read'] as const, expires: '2999-01-01T00:00:00.000Z' },
};
const as = (token: string) => ({ authorization: `Bearer ${token}` });

async function statusesOf(count: number, ask: () => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
}

describe('who asks too often', () => {
  test('waits: a sentence says so, and for how long, and others go on', async () => {
    const tokens = [OTHER, { ...OTHER, name: 'ci', sha256: hashOfToken(TOKEN) }];
    const { get } = await aConsole({ requestRates: RATES, login: { policy: undefined, tokens } });

    const statuses = await statusesOf(3, () => get('/api/v1/lanes', as(TOKEN)));
    const refused = await get('/api/v1/lanes', as(TOKEN));
    const page = await get('/lanes', as(TOKEN));
    const other = await get('/api/v1/lanes', as(OTHER_TOKEN));

    expect(statuses).toEqual([200, 200, 200]);
    expect([refused.status, page.status, other.status]).toEqual([429, 429, 200]);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await page.text()).toContain('or from this address: try again in');
  });

  test('by one link holds up that link, and no other', async () => {
    const { get, pathOf, pullPathOf } = await aConsole({ requestRates: RATES, lane: { running: RUNNING } });

    const statuses = await statusesOf(4, () => get(pathOf(RUNNING.id)));
    const other = await get(pullPathOf(1));

    expect([...statuses, other.status]).toEqual([200, 200, 200, 429, 404]);
  });

  test('with keys that are made up, or none, holds up the own address, whatever the client says of it', async () => {
    const { get } = await aConsole({ requestRates: RATES });
    let asked = 0;

    const statuses = await statusesOf(6, () => {
      asked += 1;
      return get(`/deployments/${RUNNING.id}?key=${asked}`, { 'x-forwarded-for': `203.0.113.${asked}` });
    });

    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
  });

  test('behind a trusted proxy has the address that it names', async () => {
    const login = { policy: undefined, trustedProxies: ['loopback'] };
    const { get } = await aConsole({ requestRates: RATES, login });
    const from = (address: string) => () => get('/lanes', { 'x-forwarded-for': address });

    const statuses = await statusesOf(6, from('203.0.113.1'));

    expect(statuses.at(-1)).toBe(429);
    expect(await statusesOf(1, from('203.0.113.2'))).toEqual([404]);
  });

  test('still gets what costs nothing: health, and the files of a page', async () => {
    const { get } = await aConsole({ requestRates: { person: 0, link: 0, address: 0 } });

    expect((await get('/lanes')).status).toBe(429);
    expect([(await get('/healthz')).status, (await get('/assets/console.js')).status]).toEqual([200, 200]);
  });
});

test('nobody else is on this machine: there, nobody waits', async () => {
  const { get } = await aConsole({ isLocal: true, requestRates: { person: 0, link: 0, address: 0 } });

  expect((await get('/lanes')).status).toBe(200);
});

describe('a person with ten pages open', () => {
  test('meets no limit of requests, though everything changes every second', async () => {
    const limits = createRequestLimits();
    const person = [{ kind: 'person', id: '1' }] as const;

    const waits = await Promise.all(Array.from({ length: 10 * 60 }, () => limits.waitOf(person, 1)));

    expect(Math.max(...waits)).toBe(0);
  });

  test('meets no limit of streams, of which a page has up to three', async () => {
    const { url } = await aConsole();

    const streams = await Promise.all(Array.from({ length: 30 }, () => readEvents(`${url}/api/v1/events`, as(TOKEN))));

    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test('who holds one link has twelve streams, and leaves the others to others', async () => {
  const console = await aConsole({ lane: { running: RUNNING } });
  const address = `${console.url}/api/v1/events?deployment=${RUNNING.id}&${console.pathOf(RUNNING.id).split('?')[1] ?? ''}`;

  const streams = await Promise.all(Array.from({ length: 12 }, () => readEvents(address)));
  const refused = await fetch(address);
  const other = await readEvents(`${console.url}/api/v1/events`, as(TOKEN));
  streams[0]?.leave();
  let next = await readEvents(address);
  while (next.status === 429) next = await readEvents(address);

  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('pages go on without one') });
  expect([other.status, next.status]).toEqual([200, 200]);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:0DB8::0007', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
])('the network of %s is %s: who has an IPv6 address has its neighbours, too', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
