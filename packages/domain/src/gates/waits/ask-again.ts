/** When a closed gate is asked again that opens by itself, or by a person of whom nobody hears. */
import type { GateWait } from './gate-wait.ts';

interface Pauses {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/**
 * The shortest is soon enough for a person who has opened it. With the longest, a freeze of two weeks takes a history of some 4,000
 * events.
 */
const USUAL: Pauses = { shortestMs: 10 * 60_000, longestMs: 60 * 60_000 };

/** Storage that does not answer is mostly back within seconds. With the longest, a day of it takes some 3,000 events. */
const SOON: Pauses = { shortestMs: 5_000, longestMs: 5 * 60_000 };

/** Clocks differ: a gate that is said to have opened is not asked in a circle. */
const SKEW_MS = 5_000;

/**
 * After this pause, within the limits above, or when the gate opens, or its answer may be another one. All times are in epoch
 * milliseconds.
 */
export function askAgainAt(
  { until = Infinity, askAgain = Infinity }: Pick<GateWait, 'until' | 'askAgain'>,
  pauseMs: number,
  now: number,
): number {
  const { shortestMs, longestMs } = askAgain === 'soon' ? SOON : USUAL;
  const pause = Math.min(Math.max(pauseMs, shortestMs), longestMs);
  const known = Math.min(until, askAgain === 'soon' ? Infinity : askAgain);
  return Math.min(now + pause, Math.max(known, now + SKEW_MS));
}
