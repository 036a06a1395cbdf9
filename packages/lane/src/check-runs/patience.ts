/**
 * When check runs that GitHub did not take are tried again; the others do not wait for them. Those that failed wait together,
 * longer each time that GitHub takes none at all. One that was limited has a turn of its own; an end or a question to a person
 * does not wait for a turn that was given to less.
 */
import { hasEnded, type LaneDurations, type Presentation } from '@nereid/contracts';

export interface Patience {
  /** Deployments whose check run GitHub did not take the last time. */
  readonly failed: ReadonlySet<string>;
  /** When they are tried again, by the workflow's clock. */
  readonly retryAt: number;
  readonly waitMs: number;
  /** Turns of those that were limited, by deployment. */
  readonly limited: ReadonlyMap<string, Turn>;
}

interface Turn {
  /** By the workflow's clock. */
  readonly at: number;
  /** What was to be shown. */
  readonly appearance: string;
}

/** What became of a batch. */
export interface Outcome {
  readonly taken: readonly string[];
  readonly failed: readonly string[];
  readonly limited: ReadonlyMap<string, Turn>;
  /** The longest that was asked for, before what failed is tried again. */
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

/** Those that fail for the first time wait with those that wait already. */
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

/** When a check run is tried again, in epoch milliseconds; undefined: the last time that it was tried, GitHub took it. */
export function retryAtOf({ failed, retryAt, limited }: Patience, id: string): number | undefined {
  return failed.has(id) ? retryAt : limited.get(id)?.at;
}

/** Whether an end, or a plan to be reviewed, was not yet what the turn of its check run was given for. */
export function goesBeforeTurn({ limited }: Patience, { deployment }: Presentation, appearance: string): boolean {
  const { status } = deployment.progress;
  const turn = limited.get(deployment.id);
  return turn !== undefined && turn.appearance !== appearance && (hasEnded(status) || status === 'awaiting-review');
}

/** Of what is forgotten, nothing is tried again. */
export function withoutUnknown(patience: Patience, isKnown: (deploymentId: string) => boolean): Patience {
  const ids = [...patience.failed, ...patience.limited.keys()];
  return ids.every(isKnown) ? patience : without(patience, isKnown);
}

function without(patience: Patience, isKept: (deploymentId: string) => boolean): Patience {
  const failed = new Set([...patience.failed].filter(isKept));
  const limited = new Map([...patience.limited].filter(([id]) => isKept(id)));
  return { ...patience, failed, limited, ...(failed.size === 0 && { waitMs: 0 }) };
}
