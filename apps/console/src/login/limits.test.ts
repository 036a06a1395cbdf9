import { expect, test } from '@jest/globals';
import { aConsole } from '../testing.ts';
import { Browser, type StagedLogin } from './testing.ts';

/** Nobody answers there. */
const POLICY = { mode: 'github', clientId: 'Iv23liNereid' } as const;

async function aLogin(staged: Partial<StagedLogin> = {}) {
  const { url } = await aConsole({ login: { policy: POLICY, ...staged } });

  /** Begins a login, and comes back with a code that nobody gave. Returns the answer. */
  async function comeBack(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const browser = new Browser(url);
    const begun = await browser.ask('/login/start', { headers });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    return browser.ask(`/login/callback?code=made-up&state=${state}`, { headers });
  }

  const from = (address: string) => comeBack({ 'x-forwarded-for': address });
  return { url, comeBack, from };
}

async function many(ask: () => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < 121; count += 1) statuses.push((await ask()).status);
  return statuses;
}

test('who brings made-up codes very often from one address is told to wait, and how long', async () => {
  const { comeBack } = await aLogin();

  const statuses = await many(comeBack);
  const last = await comeBack();

  expect([new Set(statuses.slice(0, 120)), statuses.at(-1), last.status]).toEqual([new Set([503]), 429, 429]);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('to begin a login costs nothing, and neither does to come back without one', async () => {
  const { url } = await aLogin();

  const begun = await many(() => fetch(`${url}/login/start`, { redirect: 'manual' }));
  const back = await many(() => fetch(`${url}/login/callback?code=x&state=y`));

  expect([new Set(begun), new Set(back)]).toEqual([new Set([303]), new Set([403])]);
});

test('behind a proxy that nobody trusts, nobody keeps the others from logging in', async () => {
  const { from } = await aLogin();

  expect(new Set(await many(() => from('203.0.113.7')))).toEqual(new Set([503]));
});

test('the address that a trusted proxy names is that of the client', async () => {
  const { from } = await aLogin({ trustedProxies: ['loopback'] });

  expect((await many(() => from('203.0.113.7'))).at(-1)).toBe(429);
  expect((await from('198.51.100.1')).status).toBe(503);
});
