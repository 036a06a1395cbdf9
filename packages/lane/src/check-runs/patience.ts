/**
 * When check runs that GitHub did not take are tried again. They wait together, longer each time that GitHub takes none at
 * all; the others do not wait for them. A limit is another matter: until it is over, nothing is sent.
 */
import type { LaneDurations } from '@nereid/contracts';

export interface Patience {
  /** Deployments whose check run GitHub did not take the last time. */
  readonly failed: ReadonlySet<string>;
  /** When they are tried again, by the workflow's clock. */
  readonly retryAt: number;
  readonly waitMs: number;
  /** Until when GitHub wants to hear nothing. */
  readonly quietUntil: number;
}

/** What became of a batch. */
export interface Outcome {
  readonly taken: readonly string[];
  readonly failed: readonly string[];
  /** The longest that was asked for: before what failed is tried again, and before anything is sent. */
  readonly retryAfterMs: number;
  readonly quietMs: number;
}

export const unhurried: Patience = { failed: new Set(), retryAt: 0, waitMs: 0, quietUntil: 0 };

export function afterBatch(
  before: Patience,
  { taken, failed, retryAfterMs, quietMs }: Outcome,
  { retryMs, retryLimitMs }: Pick<LaneDurations, 'retryMs' | 'retryLimitMs'>,
  now: number,
): Patience {
  const still = new Set([...before.failed].filter((id) => !taken.includes(id)).concat(failed));
  if (failed.length === 0) return { ...before, failed: still, ...(still.size === 0 && { waitMs: 0 }) };

  const isRetry = failed.some((id) => before.failed.has(id));
  // Those that fail for the first time wait with those that wait already.
  const isWaiting = before.failed.size > 0 && !isRetry;
  const waitMs = taken.length > 0 || before.waitMs === 0 ? retryMs : Math.min(before.waitMs * 2, retryLimitMs);
  const due = isWaiting ? { retryAt: before.retryAt, waitMs: before.waitMs } : { retryAt: now + waitMs, waitMs };
  return {
    failed: still,
    retryAt: Math.max(due.retryAt, now + retryAfterMs),
    waitMs: due.waitMs,
    // GitHub asks for longer waits when a limit is met again.
    quietUntil: quietMs === 0 ? before.quietUntil : now + Math.max(quietMs, due.waitMs),
  };
}

/** Of what is forgotten, nothing is tried again. */
export function withoutFailed(patience: Patience, isKnown: (deploymentId: string) => boolean): Patience {
  const failed = new Set([...patience.failed].filter(isKnown));
  return failed.size === patience.failed.size
    ? patience
    : { ...patience, failed, ...(failed.size === 0 && { waitMs: 0 }) };
}
