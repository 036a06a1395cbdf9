/** Sums up the days of a period: how many deployments, how fast, how often they fail. Pure. */
import type { Insights } from '@nereid/api';
import type { DaySums, Outcome, RepositoryDay, RootDay } from '../trail/day-sums.ts';
import { daysOf } from '../trail/days.ts';

export interface Period {
  readonly days: Insights['days'];
  /** Milliseconds since 1970. The last day is the one of this moment, in UTC. */
  readonly nowMs: number;
}

type Sums = Omit<Insights, 'repository' | 'missing'>;

/** More than these nobody reads. */
const BUSIEST_LIMIT = 10;

/** `read` has the sums of each day, as far as they are known; `repositories`, like `owner/name`, are those that count. */
export function sumUp(read: ReadonlyMap<string, DaySums>, period: Period, repositories: ReadonlySet<string>): Sums {
  const days = daysOf(period).map((day): Day => ({ day, parts: partsOf(read.get(day), repositories) }));
  const known = days.flatMap(({ parts }) => parts);
  const perDay = days.map(({ day, parts }) => ({ day, ...countsIn(parts) }));
  const total = (outcome: Outcome) => perDay.reduce((sum, day) => sum + day[outcome], 0);
  const [succeeded, failed] = [total('succeeded'), total('failed')];
  const { busiest, restoreSeconds } = rootsIn(known);
  return {
    days: period.days,
    perDay,
    mergeToApplied: spreadOf(secondsIn(known, 'leadSeconds')),
    inReview: spreadOf(secondsIn(known, 'reviewSeconds')),
    timeToRestore: spreadOf(Float64Array.from(restoreSeconds)),
    ...(succeeded + failed > 0 && { failureRate: failed / (succeeded + failed) }),
    busiest,
  };
}

interface Day {
  readonly day: string;
  readonly parts: readonly Part[];
}

type Part = RepositoryDay & { readonly repository: string };

function partsOf(sums: DaySums | undefined, repositories: ReadonlySet<string>): readonly Part[] {
  if (sums === undefined) return [];
  return [...sums].flatMap(([repository, day]) => (repositories.has(repository) ? [{ ...day, repository }] : []));
}

function countsIn(parts: readonly Part[]): Record<Outcome, number> {
  const count = (outcome: Outcome) => parts.reduce((sum, { counts }) => sum + counts[outcome], 0);
  return { succeeded: count('succeeded'), failed: count('failed'), other: count('other') };
}

function secondsIn(parts: readonly Part[], of: 'leadSeconds' | 'reviewSeconds'): Float64Array {
  const all = new Float64Array(parts.reduce((length, part) => length + part[of].length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part[of], end);
    end += part[of].length;
  }
  return all;
}

/** By nearest rank, so that each number is one that was measured. Sorts them in place. */
function spreadOf(seconds: Float64Array): Sums['inReview'] {
  seconds.sort();
  const at = (share: number) => seconds[Math.max(0, Math.ceil(share * seconds.length) - 1)] ?? 0;
  return seconds.length === 0 ? undefined : { median: at(0.5), p90: at(0.9), count: seconds.length };
}

interface Root {
  readonly repository: string;
  readonly rootName: string;
  deployments: number;
  failed: number;
  /** Of the first failure that nothing has succeeded after. */
  failedSinceMs: number | undefined;
}

/** For each root that failed: from its first failure to the next success. A failure that still lasts is not measured yet. */
function rootsIn(parts: readonly Part[]): Pick<Sums, 'busiest'> & { readonly restoreSeconds: readonly number[] } {
  const roots = new Map<string, Map<string, Root>>();
  const restoreSeconds: number[] = [];
  for (const { repository, roots: ofDay } of parts) {
    const known = roots.get(repository) ?? new Map<string, Root>();
    roots.set(repository, known);
    for (const [rootName, day] of ofDay) {
      const root = known.get(rootName) ?? newRoot(repository, rootName);
      if (root.deployments === 0) known.set(rootName, root);
      addTo(root, day, restoreSeconds);
    }
  }
  const all = [...roots.values()].flatMap((ofOne) => [...ofOne.values()]);
  return { busiest: busiestOf(all), restoreSeconds };
}

function newRoot(repository: string, rootName: string): Root {
  return { repository, rootName, deployments: 0, failed: 0, failedSinceMs: undefined };
}

function addTo(root: Root, { deployments, failed, turns }: RootDay, restoreSeconds: number[]): void {
  root.deployments += deployments;
  root.failed += failed;
  for (const { outcome, endedMs } of turns) {
    if (outcome === 'failed') {
      root.failedSinceMs ??= endedMs;
    } else if (root.failedSinceMs !== undefined) {
      restoreSeconds.push((endedMs - root.failedSinceMs) / 1_000);
      root.failedSinceMs = undefined;
    }
  }
}

function busiestOf(roots: readonly Root[]): Sums['busiest'] {
  return roots
    .toSorted((one, other) => other.deployments - one.deployments || (nameOf(one) < nameOf(other) ? -1 : 1))
    .slice(0, BUSIEST_LIMIT)
    .map(({ repository, rootName, deployments, failed }) => ({ repository, rootName, deployments, failed }));
}

function nameOf({ repository, rootName }: Root): string {
  return `${repository}/${rootName}`;
}
