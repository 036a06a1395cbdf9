/** When a closed gate is asked again that opens by itself, or by a person of whom nobody hears. */

/** Soon enough for a person who has opened it. */
const SHORTEST_MS = 10 * 60_000;

/** A freeze of two weeks then takes a history of some 4,000 events. */
const LONGEST_MS = 60 * 60_000;

/** Clocks differ: a gate that is said to have opened is not asked in a circle. */
const SKEW_MS = 5_000;

/** After this pause, within the limits above, or when the gate opens. All times are in epoch milliseconds. */
export function askAgainAt(until: number | undefined, pauseMs: number, now: number): number {
  const pause = Math.min(Math.max(pauseMs, SHORTEST_MS), LONGEST_MS);
  return Math.min(now + pause, Math.max(until ?? Infinity, now + SKEW_MS));
}
