import { expect, test } from '@jest/globals';
import { aConsole } from '../testing.ts';
import type { StagedLogin } from './testing.ts';

/** Nobody asks the provider: these attempts did not begin in a browser. */
const POLICY = { mode: 'github', clientId: 'Iv23liNereid' } as const;

async function attemptsFrom(staged: Partial<StagedLogin>, addresses: readonly string[]) {
  const { get } = await aConsole({ login: { policy: POLICY, ...staged } });
  const answers: Response[] = [];
  for (const address of addresses)
    answers.push(await get('/login/callback?code=x&state=y', { 'x-forwarded-for': address }));
  return answers;
}

const THERE = Array.from({ length: 121 }, () => '203.0.113.7');

test('who tries to log in very often from one address is told to wait, and how long', async () => {
  const answers = await attemptsFrom({}, THERE);

  expect(new Set(answers.slice(0, 120).map(({ status }) => status))).toEqual(new Set([403]));
  expect(answers.at(-1)?.status).toBe(429);
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('an address that a client names itself counts for nothing', async () => {
  const answers = await attemptsFrom({}, [...THERE.slice(1), '198.51.100.1']);

  expect(answers.at(-1)?.status).toBe(429);
});

test('the address that a trusted proxy names is that of the client', async () => {
  const answers = await attemptsFrom({ trustedProxies: ['loopback'] }, [...THERE, '198.51.100.1']);

  expect(answers.slice(-2).map(({ status }) => status)).toEqual([429, 403]);
});
