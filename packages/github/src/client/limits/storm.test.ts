import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { storm, type Arrival, type Served } from '../../fixtures/storm.ts';
import type { Priority } from '@nereid/forge';
import { LATE_SECONDS, READ_POINTS, WRITE_POINTS } from './points.ts';
import { LIMITS } from './shares.ts';
import { WAITING_LIMIT } from './turns.ts';

const OF_DEPLOYMENTS: readonly Priority[] = ['first', 'progress', 'final'];

const priority = fc.constantFrom<Priority>(...OF_DEPLOYMENTS, 'preview');

const arrival: fc.Arbitrary<Arrival> = fc.record({
  atMs: fc.nat(120_000),
  priority,
  points: fc.constantFrom(READ_POINTS, WRITE_POINTS, 2 * WRITE_POINTS),
  lateMs: fc.nat(LATE_SECONDS * 1_000),
});

const arrivals = fc.array(arrival, { minLength: 1, maxLength: 400, size: 'max' });

const settings = fc.record({ answerMs: fc.constantFrom(0, 200, 1_000), beginMs: fc.constantFrom(1_500, 30_000) });

/** Each takes some ten milliseconds. */
const RUNS = { numRuns: 30, endOnFailure: true };

describe('whatever comes', () => {
  test('no minute has more than its points', () => {
    fc.assert(
      fc.property(arrivals, settings, (all, given) => {
        expect(mostInAMinute(storm(all, given).served)).toBeLessThanOrEqual(LIMITS.final);
      }),
      RUNS,
    );
  });

  test('everything is served, the wait is a second at least, and few wait in the process', () => {
    fc.assert(
      fc.property(arrivals, settings, (all, given) => {
        const { served, shortestWaitMs, mostWaiting } = storm(all, given);

        expect(served).toHaveLength(all.length);
        expect(shortestWaitMs).toBeGreaterThanOrEqual(1_000);
        expect(mostWaiting).toBeLessThanOrEqual(WAITING_LIMIT);
      }),
      RUNS,
    );
  });

  test.each([
    ['an end or a button', 'final', 'progress'],
    ['progress of a deployment', 'progress', 'preview'],
  ] as const)(
    '%s never waits behind a lesser request, which begins in its reserved turn at most',
    (_what, more, less) => {
      fc.assert(
        fc.property(arrivals, settings, (all, given) => {
          const lesser = storm(all, given).served.filter((one) => one.priority === less && one.refusals === 0);

          expect(lesser.filter(({ before }) => before.includes(more))).toEqual([]);
        }),
        RUNS,
      );
    },
  );

  test('a request that comes back in time is served at once', () => {
    fc.assert(
      fc.property(arrivals, (all) => {
        const back = storm(all).served.filter(({ refusals }) => refusals > 0);

        expect(back.filter(({ beganMs, cameMs, refusals }) => beganMs > cameMs || refusals > 1)).toEqual([]);
      }),
      RUNS,
    );
  });
});

test('of a thousand at once none is sent away more than twice', () => {
  fc.assert(
    fc.property(fc.array(priority, { minLength: 1_000, maxLength: 1_000 }), fc.nat(400), (all, answerMs) => {
      const { served } = storm(
        all.map((each, index) => ({ atMs: index, priority: each })),
        { answerMs },
      );

      expect(served).toHaveLength(1_000);
      expect(Math.max(...served.map(({ refusals }) => refusals))).toBeLessThanOrEqual(2);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

describe('a merge of 200 roots, with three writes of each lane within two seconds', () => {
  const all = Array.from({ length: 600 }, (_, index) => ({
    atMs: (index * 7) % 2_000,
    priority: OF_DEPLOYMENTS[index % 3] ?? 'first',
    lateMs: (index * 13) % 500,
  }));

  test.each([0, 200, 400])('ends in the fourth minute, as it must, when GitHub takes %s ms', (answerMs) => {
    const { served } = storm(all, { answerMs });

    expect(served).toHaveLength(600);
    // 3,000 points are three minutes and a part of one; each minute is six seconds longer, for those that come late.
    expect(Math.max(...served.map(({ beganMs }) => beganMs))).toBeLessThanOrEqual(3 * 66_000 + 12_000);
    expect(Math.max(...served.map(({ refusals }) => refusals))).toBe(1);
  });

  test('comes back at most sixteen in a second, also after GitHub asked to be left alone', () => {
    const { served, turnsMs } = storm(all, { answerMs: 200, closed: { atMs: 3_000, untilMs: 63_000 } });

    const inSeconds = Map.groupBy(turnsMs, (ms) => Math.floor(ms / 1_000));
    expect(Math.max(...[...inSeconds.values()].map(({ length }) => length))).toBeLessThanOrEqual(16);
    expect(served.filter(({ beganMs }) => beganMs > 3_000 && beganMs < 63_000)).toEqual([]);
    expect(Math.max(...served.map(({ refusals }) => refusals))).toBeLessThanOrEqual(2);
  });
});

test('the end of a deployment is written at once, although three hundred pull requests are out of date', () => {
  const previews = Array.from({ length: 300 }, (_, index): Arrival => ({ atMs: index * 10, priority: 'preview' }));
  const deployment = (['first', 'progress', 'final'] as const).map((each, index): Arrival => {
    return { atMs: 5_000 + index * 2_000, priority: each };
  });

  const { served } = storm([...previews, ...deployment], { answerMs: 200 });

  const waits = served.filter((one) => one.priority !== 'preview').map(({ beganMs, atMs }) => beganMs - atMs);
  expect(waits).toHaveLength(3);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
});

function mostInAMinute(served: readonly Served[]): number {
  const inMinuteUntil = ({ beganMs: end }: Served) =>
    served
      .filter(({ beganMs }) => beganMs > end - 60_000 && beganMs <= end)
      .reduce((sum, { points }) => sum + points, 0);
  return Math.max(...served.map(inMinuteUntil));
}
