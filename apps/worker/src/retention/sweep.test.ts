import { expect, test } from '@jest/globals';
import type { Sweep, Sweeper } from '@nereid/storage';
import { pino } from 'pino';
import { sweep, type SweepContext } from './sweep.ts';

const DAY_MS = 24 * 3_600_000;

interface World {
  readonly context: SweepContext;
  readonly asked: Sweep[];
  readonly counted: unknown[];
}

function aWorld(retention: { logsMs?: number; recordsMs?: number }, storeMs = Date.now()): World {
  const [asked, counted]: [Sweep[], unknown[]] = [[], []];
  const answer = (asking: Sweep) => {
    asked.push(asking);
    return Promise.resolve({ removed: 3, failed: 1, next: 'logs/x' });
  };
  const sweeper: Sweeper = {
    ...{ logs: answer, deployments: answer, rollouts: answer, days: answer, begun: answer },
    now: () => Promise.resolve(storeMs),
  };
  const context: SweepContext = {
    sweeper,
    logger: pino({ level: 'silent' }),
    metrics: { onSwept: (part, swept) => counted.push([part, swept]) },
    server: { current: () => ({ retention: { previewsMs: DAY_MS, ...retention } }) },
  };
  return { context, asked, counted };
}

const callAt = (at: string) => ({ at, after: undefined, signal: new AbortController().signal });

const now = () => callAt(new Date().toISOString());

test('nothing is removed where nobody says for how long it is kept', async () => {
  const { context, asked } = aWorld({ logsMs: DAY_MS });

  expect(await sweep(context, 'deployments', now())).toEqual({ removed: 0, failed: 0 });
  expect(asked).toEqual([]);
});

test('what was removed, and what could not be, is counted and returned', async () => {
  const { context, asked, counted } = aWorld({ logsMs: DAY_MS });

  const swept = await sweep(context, 'logs', { ...now(), after: 'logs/w' });

  expect(swept).toEqual({ removed: 3, failed: 1, next: 'logs/x' });
  expect(counted).toEqual([['logs', swept]]);
  expect(asked).toMatchObject([{ after: 'logs/w' }]);
});

test.each(['deployments', 'rollouts', 'days'] as const)('%s are kept as records are', async (part) => {
  const { context, asked } = aWorld({ recordsMs: 100 * DAY_MS });

  await sweep(context, part, now());

  expect(Math.abs((asked[0]?.beforeMs ?? 0) - (Date.now() - 100 * DAY_MS))).toBeLessThan(60_000);
});

test('markers of applies are kept until their orders have ended, and a month more, whatever the file says', async () => {
  const { context, asked } = aWorld({});

  await sweep(context, 'begun', now());

  expect(Math.abs((asked[0]?.beforeMs ?? 0) - (Date.now() - 430 * DAY_MS))).toBeLessThan(60_000);
});

test.each([
  ['of Temporal, or of somebody who says so', Date.now(), '2999-01-31T00:00:00.000Z'],
  ['of the store', Date.parse('2999-01-31T00:00:00.000Z'), new Date().toISOString()],
])('a clock %s that is ahead makes nothing old', async (_whose, storeMs, at) => {
  const { context, asked } = aWorld({ logsMs: 0 }, storeMs);

  await sweep(context, 'logs', callAt(at));

  expect(asked[0]?.beforeMs).toBeLessThanOrEqual(Date.now());
});

test.each([
  ['Temporal', Date.now(), 'soon'],
  ['storage', NaN, new Date().toISOString()],
])('without a time of %s, nothing is removed', async (whose, storeMs, at) => {
  const { context, asked } = aWorld({ logsMs: 0 }, storeMs);

  await expect(sweep(context, 'logs', callAt(at))).rejects.toThrow(`expected a time from the clock of ${whose}`);
  expect(asked).toEqual([]);
});
