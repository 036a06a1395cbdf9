/** A deployment, as sums need it: small, because a quarter of a year of them is kept in memory. Pure. */
import { fullName, type EndedDeployment, type EndedStatus } from '@nereid/contracts';

export interface Measured {
  /** `owner/name`. */
  readonly repository: string;
  readonly rootName: string;
  readonly outcome: Outcome;
  /** Milliseconds since 1970. */
  readonly endedMs: number;
  /** From the merge's arrival to the end of its apply, in seconds. Only of a merge that was applied, and not again. */
  readonly leadSeconds?: number;
  /** How long the plan waited for its review, in seconds. */
  readonly gateSeconds?: number;
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

export function measure(ended: EndedDeployment): Measured {
  const { repository, rootName, status, trigger, rerun, receivedAt, endedAt, times } = ended;
  const isMerge = trigger === 'merge' && !rerun && status === 'succeeded';
  const leadSeconds = isMerge ? secondsBetween(receivedAt, times.succeeded ?? endedAt) : undefined;
  const answeredAt = times.applying ?? times.rejected;
  const gateSeconds = secondsBetween(times['awaiting-review'], answeredAt);
  return {
    repository: fullName(repository),
    rootName,
    outcome: OUTCOMES[status],
    endedMs: Date.parse(endedAt),
    ...(leadSeconds !== undefined && { leadSeconds }),
    ...(gateSeconds !== undefined && { gateSeconds }),
  };
}

/** Undefined where one is missing. Clocks of several machines may differ, so nothing is negative. */
function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000);
}
