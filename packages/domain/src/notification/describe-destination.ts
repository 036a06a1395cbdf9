/** How it stands with a destination, for operators. */
import type { DestinationState } from './record.ts';

/** An operator is to look at a destination that has taken nothing for so long. */
const STUCK_AFTER_MS = 3_600_000;

/** `stuck`: it has failed for an hour. */
export interface DestinationHealth {
  readonly kind: 'fine' | 'failing' | 'stuck' | 'refused';
  readonly sentence: string;
}

/** Undefined as the state of a destination that nothing was ever sent to. */
export function describeDestination(name: string, state: DestinationState | undefined): DestinationHealth {
  const dropped = state && state.dropped > 0 ? ` (${state.dropped} were dropped so far)` : '';
  const { failing, refused, deliveredAt } = state ?? {};
  if (state && failing) {
    const kind = isStuck(state) ? 'stuck' : 'failing';
    const [queue] = Object.entries(state.failingQueues ?? {}).find(([, one]) => one.since === failing.since) ?? [];
    const none = queue === undefined ? 'none' : `none about ${queue}`;
    const sentence = `expected ${name} to take notifications, found that it has taken ${none} since ${failing.since}: ${failing.reason}${dropped}; mend it: what waits is tried again, and dropped after a day`;
    return { kind, sentence };
  }
  if (refused) {
    const sentence = `expected ${name} to take notifications, found that it refused one at ${refused.at}: ${refused.reason}${dropped}; mend it, and run: nereid notify retry ${name}`;
    return { kind: 'refused', sentence };
  }
  const last = deliveredAt === undefined ? 'took none yet' : `took the last one at ${deliveredAt}`;
  return { kind: 'fine', sentence: `${name} ${last}${dropped}` };
}

/** By the last attempt: a destination that nobody has tried since may be well. */
export function isStuck({ failing }: DestinationState): boolean {
  return failing !== undefined && Date.parse(failing.lastAt) - Date.parse(failing.since) >= STUCK_AFTER_MS;
}
