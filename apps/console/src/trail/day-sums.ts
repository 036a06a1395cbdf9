/**
 * What the deployments that ended on a day add up to, by repository: a tenth of what was read of them, from which months are summed
 * up in a moment. Pure.
 */
import type { EndedDeployment, EndedStatus } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';

/** By `owner/name`. */
export type DaySums = ReadonlyMap<string, RepositoryDay>;

export interface RepositoryDay {
  readonly counts: Readonly<Record<Outcome, number>>;
  /** From the merge's arrival to the end of its apply. Only of merges that were applied, and not again. */
  readonly leadSeconds: Float64Array;
  /** How long plans waited for their review. */
  readonly reviewSeconds: Float64Array;
  /** By name. */
  readonly roots: ReadonlyMap<string, RootDay>;
}

export interface RootDay {
  readonly deployments: number;
  readonly failed: number;
  /** Of those that were to be applied, in order: each that ended otherwise than the one before it. */
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly outcome: Exclude<Outcome, 'other'>;
  /** Milliseconds since 1970. */
  readonly endedMs: number;
}

/** `other`: people or newer revisions decided that nothing was to be applied. */
export type Outcome = 'succeeded' | 'failed' | 'other';

const OUTCOMES: Readonly<Record<EndedStatus, Outcome>> = {
  succeeded: 'succeeded',
  'no-changes': 'succeeded',
  'plan-failed': 'failed',
  'apply-failed': 'failed',
  'apply-outcome-unknown': 'failed',
  'host-lost': 'failed',
  planned: 'other',
  rejected: 'other',
  expired: 'other',
  cancelled: 'other',
  skipped: 'other',
  refused: 'other',
};

/** In any order. */
export function sumsOfDay(ended: readonly EndedDeployment[]): DaySums {
  const byRepository = Map.groupBy(ended, ({ repository }) => fullName(repository));
  return new Map([...byRepository].map(([name, ofOne]) => [name, repositoryDay(ofOne)]));
}

/** The number of things that are kept for a day, of some hundred bytes each. */
export function sizeOfSums(sums: DaySums): number {
  return [...sums.values()].reduce((size, { roots }) => size + 1 + roots.size, 0);
}

function repositoryDay(ended: readonly EndedDeployment[]): RepositoryDay {
  const byRoot = Map.groupBy(ended, ({ rootName }) => rootName);
  return {
    counts: countsOf(ended),
    leadSeconds: Float64Array.from(ended.flatMap((one) => leadSecondsOf(one) ?? [])),
    reviewSeconds: Float64Array.from(ended.flatMap((one) => reviewSecondsOf(one) ?? [])),
    roots: new Map([...byRoot].map(([name, ofOne]) => [name, rootDay(ofOne)])),
  };
}

function countsOf(ended: readonly EndedDeployment[]): Record<Outcome, number> {
  const counts = { succeeded: 0, failed: 0, other: 0 };
  for (const { status } of ended) counts[OUTCOMES[status]] += 1;
  return counts;
}

function rootDay(ended: readonly EndedDeployment[]): RootDay {
  const inOrder = ended.toSorted((one, other) => (one.endedAt < other.endedAt ? -1 : 1));
  const turns: Turn[] = [];
  for (const { status, endedAt } of inOrder) {
    const outcome = OUTCOMES[status];
    if (outcome === 'other' || turns.at(-1)?.outcome === outcome) continue;
    turns.push({ outcome, endedMs: Date.parse(endedAt) });
  }
  return { deployments: ended.length, failed: countsOf(ended).failed, turns };
}

function leadSecondsOf({ trigger, rerun, status, receivedAt, endedAt, times }: EndedDeployment): number | undefined {
  const isMerge = trigger === 'merge' && !rerun && status === 'succeeded';
  return isMerge ? secondsBetween(receivedAt, times.succeeded ?? endedAt) : undefined;
}

function reviewSecondsOf({ times }: EndedDeployment): number | undefined {
  return secondsBetween(times['awaiting-review'], times.applying ?? times.rejected);
}

/** Undefined where one is missing. Clocks of several machines may differ, so nothing is negative. */
function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
}
