/**
 * When to retry check runs that the forge did not take; the others do not wait for them. Check runs that failed wait together,
 * longer each time that the forge takes none at all. A limited check run has a turn of its own. An end or a question to a person
 * does not wait for a turn that was given for something less important.
 */
import type { Presentation } from '../../../deployment/presentation.ts';
import { hasEnded } from '../../../deployment/status.ts';
import type { LaneDurations } from '../../input.ts';

export interface Patience {
  /** Deployments whose check run failed the last time. */
  readonly failed: ReadonlySet<string>;
  /** When these are retried, by the workflow's clock. */
  readonly retryAt: number;
  readonly waitMs: number;
  /** The turns of limited check runs, by deployment. */
  readonly limited: ReadonlyMap<string, Turn>;
}

interface Turn {
  /** By the workflow's clock. */
  readonly at: number;
  /** The appearance for which the turn was given. */
  readonly appearance: string;
}

/** The result of a batch. */
export interface Outcome {
  readonly taken: readonly string[];
  readonly failed: readonly string[];
  readonly limited: ReadonlyMap<string, Turn>;
  /** The longest wait that was asked for before failed check runs are retried. */
  readonly retryAfterMs: number;
}

export const unhurried: Patience = { failed: new Set(), retryAt: 0, waitMs: 0, limited: new Map() };

export function afterBatch(
  before: Patience,
  outcome: Outcome,
  durations: Pick<LaneDurations, 'retryMs' | 'retryLimitMs'>,
  now: number,
): Patience {
  const { taken, failed, limited } = outcome;
  const answered = new Set([...taken, ...failed, ...limited.keys()]);
  const rest = without(before, (id) => !answered.has(id));
  const next = { ...rest, limited: new Map([...rest.limited, ...limited]) };
  if (failed.length === 0) return next;
  return { ...next, failed: new Set([...rest.failed, ...failed]), ...waitOf(before, outcome, durations, now) };
}

/** Check runs that fail for the first time join those that wait already. */
function waitOf(
  before: Patience,
  { taken, failed, retryAfterMs }: Outcome,
  { retryMs, retryLimitMs }: Pick<LaneDurations, 'retryMs' | 'retryLimitMs'>,
  now: number,
): Pick<Patience, 'retryAt' | 'waitMs'> {
  const isWaiting = before.failed.size > 0 && !failed.some((id) => before.failed.has(id));
  const longerMs = taken.length > 0 || before.waitMs === 0 ? retryMs : Math.min(before.waitMs * 2, retryLimitMs);
  const { retryAt, waitMs } = isWaiting ? before : { retryAt: now + longerMs, waitMs: longerMs };
  return { retryAt: Math.max(retryAt, now + retryAfterMs), waitMs };
}

/** When a check run is retried, in epoch milliseconds; undefined when it does not wait for a retry. */
export function retryAtOf({ failed, retryAt, limited }: Patience, id: string): number | undefined {
  return failed.has(id) ? retryAt : limited.get(id)?.at;
}

/** Whether the check run shows an end or a plan to review, and has a turn that was given for something else. */
export function goesBeforeTurn({ limited }: Patience, { deployment }: Presentation, appearance: string): boolean {
  const { status } = deployment.progress;
  const turn = limited.get(deployment.id);
  return turn !== undefined && turn.appearance !== appearance && (hasEnded(status) || status === 'awaiting-review');
}

/** Removes the retries of deployments that the lane has forgotten. */
export function withoutUnknown(patience: Patience, isKnown: (deploymentId: string) => boolean): Patience {
  const ids = [...patience.failed, ...patience.limited.keys()];
  return ids.every(isKnown) ? patience : without(patience, isKnown);
}

function without(patience: Patience, isKept: (deploymentId: string) => boolean): Patience {
  const failed = new Set([...patience.failed].filter(isKept));
  const limited = new Map([...patience.limited].filter(([id]) => isKept(id)));
  return { ...patience, failed, limited, ...(failed.size === 0 && { waitMs: 0 }) };
}
