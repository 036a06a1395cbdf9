import { describe, expect, test } from '@jest/globals';
import type { EndedDeployment } from '@nereid/domain/deployment';
import { sumsOfDay } from '../trail/day-sums.ts';
import { sumUp } from './sum-up.ts';

const NOW_MS = Date.parse('2026-11-22T12:00:00.000Z');

describe('of a week', () => {
  test('each day is counted, also one without deployments', () => {
    const { perDay } = sums([
      anEnded({ endedAt: '2026-11-22T01:00:00.000Z' }),
      anEnded({ endedAt: '2026-11-22T02:00:00.000Z', status: 'apply-failed' }),
      anEnded({ endedAt: '2026-11-20T23:59:59.999Z', status: 'rejected' }),
      anEnded({ endedAt: '2026-11-15T23:59:59.999Z' }),
    ]);

    expect(perDay).toHaveLength(7);
    expect(perDay[0]).toEqual({ day: '2026-11-16', succeeded: 0, failed: 0, other: 0 });
    expect(perDay[4]).toEqual({ day: '2026-11-20', succeeded: 0, failed: 0, other: 1 });
    expect(perDay[6]).toEqual({ day: '2026-11-22', succeeded: 1, failed: 1, other: 0 });
  });

  test('the failure rate counts those that were to be applied', () => {
    const statuses = ['succeeded', 'no-changes', 'succeeded', 'apply-outcome-unknown', 'rejected', 'skipped'] as const;

    expect(sums(statuses.map((status) => anEnded({ status }))).failureRate).toBe(0.25);
    expect(sums([anEnded({ status: 'rejected' })]).failureRate).toBeUndefined();
  });

  test('median and p90 are numbers that were measured', () => {
    const ended = Array.from({ length: 10 }, (_, n) => tookSeconds(n + 1));

    expect(sums(ended).mergeToApplied).toEqual({ median: 5, p90: 9, count: 10 });
  });

  test('re-runs and manual deployments are no measure of how fast a merge is applied', () => {
    const ended = [
      { ...tookSeconds(1), rerun: true },
      { ...tookSeconds(2), trigger: 'manual' as const },
    ];

    expect(sums(ended).mergeToApplied).toBeUndefined();
  });

  test('the wait for a review ends with its answer, also with a rejection', () => {
    const from = '2026-11-22T10:00:00.000Z';
    const reviewed = (times: EndedDeployment['times']) => anEnded({ times: { 'awaiting-review': from, ...times } });
    const ended = [
      reviewed({ applying: '2026-11-22T10:00:30.000Z' }),
      reviewed({ rejected: '2026-11-22T10:01:00.000Z' }),
    ];

    expect(sums([...ended, reviewed({ expired: '2026-11-22T11:00:00.000Z' })]).inReview).toEqual({
      median: 30,
      p90: 60,
      count: 2,
    });
  });

  test('time to restore is from the first failure of a root to its next success', () => {
    const at = (minute: number, changes: Partial<EndedDeployment>) =>
      anEnded({ endedAt: new Date(NOW_MS + minute * 60_000).toISOString(), ...changes });

    const { timeToRestore } = sums([
      at(10, { status: 'succeeded' }),
      at(0, { status: 'apply-failed' }),
      at(5, { status: 'plan-failed' }),
      at(6, { rootName: 'app', status: 'succeeded' }),
      at(20, { rootName: 'app', status: 'apply-failed' }),
    ]);

    expect(timeToRestore).toEqual({ median: 600, p90: 600, count: 1 });
  });

  test('a root that failed may be restored days later, by whatever was to be applied then', () => {
    const on = (endedAt: string, status: EndedDeployment['status']) => anEnded({ endedAt, status });

    const { timeToRestore } = sums([
      on('2026-11-17T12:00:00.000Z', 'succeeded'),
      on('2026-11-18T12:00:00.000Z', 'apply-failed'),
      on('2026-11-18T13:00:00.000Z', 'plan-failed'),
      on('2026-11-19T12:00:00.000Z', 'rejected'),
      on('2026-11-20T12:00:00.000Z', 'no-changes'),
      on('2026-11-20T12:00:01.000Z', 'apply-failed'),
    ]);

    expect(timeToRestore).toEqual({ median: 2 * 86_400, p90: 2 * 86_400, count: 1 });
  });

  test('only the repositories that somebody may see count', () => {
    const elsewhere = anEnded({ repository: { owner: 'acme', name: 'secret' }, status: 'apply-failed' });
    const ended = [anEnded({}), elsewhere];

    expect(sums(ended)).toEqual(sums([anEnded({})]));
    expect(sums(ended, ['acme/infra', 'acme/secret']).perDay.at(-1)).toMatchObject({ succeeded: 1, failed: 1 });
  });

  test('the busiest roots come first, ten at most', () => {
    const ended = Array.from({ length: 12 }, (_, n) =>
      Array.from({ length: n + 1 }, () => anEnded({ rootName: `root-${n}` })),
    );

    const { busiest } = sums(ended.flat());

    expect(busiest).toHaveLength(10);
    expect(busiest[0]).toEqual({ repository: 'acme/infra', rootName: 'root-11', deployments: 12, failed: 0 });
  });
});

function sums(ended: readonly EndedDeployment[], repositories: readonly string[] = ['acme/infra']) {
  const byDay = Map.groupBy(ended, ({ endedAt }) => endedAt.slice(0, 10));
  const read = new Map([...byDay].map(([day, ofDay]) => [day, sumsOfDay(ofDay)]));
  return sumUp(read, { days: 7, nowMs: NOW_MS }, new Set(repositories));
}

function tookSeconds(seconds: number): EndedDeployment {
  const receivedAt = '2026-11-22T10:00:00.000Z';
  return anEnded({ receivedAt, endedAt: new Date(Date.parse(receivedAt) + seconds * 1_000).toISOString() });
}

function anEnded(changes: Partial<EndedDeployment>): EndedDeployment {
  return {
    version: 1,
    id: '3f2a8c1e-0d4b-4e7a-9c55-1f0e6b7a2d90',
    repository: { owner: 'acme', name: 'infra' },
    rootName: 'network',
    revision: { sha: 'a'.repeat(40), branch: 'main', position: 7, title: 'Widen the subnet', author: 'alice' },
    trigger: 'merge',
    rerun: false,
    requestedBy: 'alice',
    status: 'succeeded',
    receivedAt: '2026-11-22T10:00:00.000Z',
    times: {},
    endedAt: '2026-11-22T10:05:00.000Z',
    ...changes,
  };
}
