/** Sums up ended deployments: how many, how fast, how often they fail. Pure. */
import type { Insights } from '@nereid/api';
import type { Measured, Outcome } from './measured.ts';

export interface Period {
  readonly days: Insights['days'];
  /** Milliseconds since 1970. The last day is the one of this moment, in UTC. */
  readonly nowMs: number;
}

type Sums = Omit<Insights, 'repository'>;

/** More than these nobody reads. */
const BUSIEST_LIMIT = 10;

const DAY_MS = 24 * 3_600_000;

export function sumUp(all: readonly Measured[], period: Period): Sums {
  const days = daysOf(period);
  const within = all.filter(({ endedMs }) => days.includes(dayOf(endedMs)));
  const inOrder = within.toSorted((a, b) => a.endedMs - b.endedMs);
  const [succeeded, failed] = [countOf(within, 'succeeded'), countOf(within, 'failed')];
  return {
    days: period.days,
    perDay: perDay(within, days),
    mergeToApplied: spreadOf(within.flatMap(({ leadSeconds }) => leadSeconds ?? [])),
    atTheGate: spreadOf(within.flatMap(({ gateSeconds }) => gateSeconds ?? [])),
    timeToRestore: spreadOf(restoreSeconds(inOrder)),
    ...(succeeded + failed > 0 && { failureRate: failed / (succeeded + failed) }),
    busiest: busiestOf(within),
  };
}

/** The days of a period in UTC, oldest first, like `2026-11-22`. */
export function daysOf({ days, nowMs }: { readonly days: number; readonly nowMs: number }): readonly string[] {
  return Array.from({ length: days }, (_, index) => dayOf(nowMs - (days - 1 - index) * DAY_MS));
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function countOf(measured: readonly Measured[], outcome: Outcome): number {
  return measured.filter((each) => each.outcome === outcome).length;
}

function perDay(measured: readonly Measured[], days: readonly string[]): Sums['perDay'] {
  const byDay = Map.groupBy(measured, ({ endedMs }) => dayOf(endedMs));
  return days.map((day) => {
    const ofDay = byDay.get(day) ?? [];
    const count = (outcome: Outcome) => countOf(ofDay, outcome);
    return { day, succeeded: count('succeeded'), failed: count('failed'), other: count('other') };
  });
}

/** By nearest rank, so that each number is one that was measured. */
function spreadOf(seconds: readonly number[]): Sums['atTheGate'] {
  const sorted = seconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return sorted.length === 0 ? undefined : { median: at(0.5), p90: at(0.9), count: sorted.length };
}

/** Of each root: from its first failure to the next success. A failure that still lasts is not measured yet. */
function restoreSeconds(inOrder: readonly Measured[]): readonly number[] {
  const failedSince = new Map<string, number>();
  return inOrder.flatMap((measured) => {
    const lane = laneOf(measured);
    const since = failedSince.get(lane);
    if (measured.outcome === 'failed' && since === undefined) failedSince.set(lane, measured.endedMs);
    if (measured.outcome !== 'succeeded' || since === undefined) return [];
    failedSince.delete(lane);
    return [(measured.endedMs - since) / 1_000];
  });
}

function busiestOf(measured: readonly Measured[]): Sums['busiest'] {
  return [...Map.groupBy(measured, laneOf).values()]
    .flatMap((ofLane) => {
      const [{ repository, rootName } = { repository: '', rootName: '' }] = ofLane;
      return { repository, rootName, deployments: ofLane.length, failed: countOf(ofLane, 'failed') };
    })
    .toSorted((a, b) => b.deployments - a.deployments || laneOf(a).localeCompare(laneOf(b)))
    .slice(0, BUSIEST_LIMIT);
}

function laneOf({ repository, rootName }: Pick<Measured, 'repository' | 'rootName'>): string {
  return `${repository}/${rootName}`;
}
