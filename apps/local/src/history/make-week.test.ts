import { describe, expect, test } from '@jest/globals';
import { hasEnded } from '@nereid/domain/deployment';
import fc from 'fast-check';
import { createRandom } from '../random.ts';
import { INCIDENTS } from './fate/incidents.ts';
import { MADE_UP_REPOSITORIES } from './made-up-repositories.ts';
import { makeWeek } from './make-week.ts';
import { DAY_MS } from './moments.ts';
import type { MadeUpDeployment, RepositoryWeek } from './week.ts';

const NOW_MS = Date.parse('2026-11-25T17:30:00.000Z');
const HOSTS = { present: 'host-1', lost: 'host-2' };

describe('a made-up week', () => {
  const weeks = makeWeeks(1, NOW_MS);

  test('is the same for the same seed and time, and another one for another seed', () => {
    expect(makeWeeks(1, NOW_MS)).toEqual(weeks);
    expect(makeWeeks(2, NOW_MS)).not.toEqual(weeks);
  });

  test('has forty roots of three repositories, most of which were deployed', () => {
    expect(MADE_UP_REPOSITORIES.flatMap(({ roots }) => roots)).toHaveLength(40);
    expect(new Set(weeks.flatMap(({ deployments }) => deployments.map(({ root }) => root))).size).toBe(40);
  });

  test('has a merge that deploys all roots of its repository, in each', () => {
    for (const { repository, deployments } of weeks) {
      const byMerge = [...Map.groupBy(deployments, ({ number }) => number).values()];
      const most = Math.max(...byMerge.map((ofOne) => new Set(ofOne.map(({ root }) => root)).size));
      expect(most).toBe(repository.roots.length);
    }
  });

  test('has every way in which a deployment may end that people see often', () => {
    const ends = new Set(weeks.flatMap(({ deployments }) => deployments.map(({ status }) => status)));

    expect([...ends].sort()).toEqual([
      'apply-failed',
      'apply-outcome-unknown',
      'no-changes',
      'plan-failed',
      'rejected',
      'succeeded',
    ]);
  });

  test('ends with the incidents: nothing was deployed to their roots afterwards', () => {
    for (const { repository, rootName, fate } of INCIDENTS) {
      const week = weeks.find((one) => one.repository.name === repository);
      expect(week?.deployments.findLast(({ root }) => root.name === rootName)).toMatchObject({ status: fate });
    }
  });

  test('has most of its work on weekdays, by day', () => {
    const times = weeks.flatMap(({ changes }) =>
      changes.flatMap(({ merged }) => (merged ? [new Date(merged.at)] : [])),
    );
    const atWork = times.filter((at) => at.getUTCHours() >= 8 && at.getUTCHours() < 18);

    expect(atWork.length / times.length).toBeGreaterThan(0.9);
  });
});

/** Each makes up three weeks. */
const RUNS = { numRuns: 25 };

/** A week may be made up at any time, also on a Monday before dawn. */
describe('whenever it is made up', () => {
  const seeds = fc.integer({ min: 1, max: 10_000 });
  const minutesLater = fc.integer({ min: 0, max: 14 * 24 * 60 });

  test('everything has ended by now, and began within nine days', () => {
    fc.assert(
      fc.property(seeds, minutesLater, (seed, minutes) => {
        const nowMs = NOW_MS + minutes * 60_000;
        const weeks = makeWeeks(seed, nowMs);
        for (const { status, progress, receivedAt, endedAt } of deploymentsOf(weeks)) {
          const times = [receivedAt, ...Object.values(progress.times), endedAt].map((at) => Date.parse(at));
          expect(hasEnded(status)).toBe(true);
          expect(Math.max(...times)).toBe(Date.parse(endedAt));
          expect(times[0]).toBeGreaterThan(nowMs - 9 * DAY_MS);
          expect(times.at(-1)).toBeLessThan(nowMs);
          expect(times).toEqual(times.toSorted((one, other) => one - other));
        }
      }),
      RUNS,
    );
  });

  test('a root has one deployment at a time', () => {
    fc.assert(
      fc.property(seeds, minutesLater, (seed, minutes) => {
        const weeks = makeWeeks(seed, NOW_MS + minutes * 60_000);
        for (const { deployments } of weeks) {
          for (const ofRoot of Map.groupBy(deployments, ({ root }) => root).values()) {
            for (const [index, { endedAt }] of ofRoot.entries()) {
              const next = ofRoot[index + 1]?.progress.times.preparing;
              expect(next === undefined || next > endedAt).toBe(true);
            }
          }
        }
      }),
      RUNS,
    );
  });

  test('pull requests are numbered in the order of their merges, and open before', () => {
    fc.assert(
      fc.property(seeds, minutesLater, (seed, minutes) => {
        const weeks = makeWeeks(seed, NOW_MS + minutes * 60_000);
        for (const { changes } of weeks) {
          const merges = changes.flatMap(({ openedAt, merged }) => (merged ? [{ openedAt, at: merged.at }] : []));
          expect(merges).toEqual(merges.toSorted((one, other) => one.at.localeCompare(other.at)));
          expect(merges.filter(({ openedAt, at }) => openedAt >= at)).toEqual([]);
        }
      }),
      RUNS,
    );
  });
});

function makeWeeks(seed: number, nowMs: number): readonly RepositoryWeek[] {
  const random = createRandom(seed);
  return MADE_UP_REPOSITORIES.map((repository) => makeWeek(repository, { random, hosts: HOSTS, nowMs }));
}

function deploymentsOf(weeks: readonly RepositoryWeek[]): readonly MadeUpDeployment[] {
  return weeks.flatMap(({ deployments }) => deployments);
}
