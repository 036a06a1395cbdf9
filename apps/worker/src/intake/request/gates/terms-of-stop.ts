/** What holds of every stop, whatever it is about. */
import { millisecondsOf } from '@nereid/config';

/** A longer one is a window of the server's file. */
const [SHORTEST_MS, LONGEST_MS] = [60_000, 7 * 86_400_000];

/** More than people keep in mind. */
const STOPS_LIMIT = 20;

export const REASON_LIMIT = 200;

/** When a stop ends, in epoch milliseconds, or a sentence. */
export function endOfStop(askedAt: string, duration: string): number | string {
  const durationMs = millisecondsOf(duration) ?? 0;
  if (durationMs >= SHORTEST_MS && durationMs <= LONGEST_MS) return Date.parse(askedAt) + durationMs;
  return `expected a time from 1m to 7d for a stop, found ${duration.slice(0, 20)}`;
}

interface Asked {
  /** ISO 8601. */
  readonly at: string;
  /** When the last thaw of the same was asked for. */
  readonly thawedAt: string | undefined;
  /** How many other stops there are of the same. */
  readonly others: number;
  /** "the repository". */
  readonly what: string;
}

/** Somebody who reaches Temporal can send a request again, also after a thaw. Undefined for a stop that may be stored. */
export function whyNotStored({ at, thawedAt = '', others, what }: Asked): string | undefined {
  if (at <= thawedAt) return `${what} was thawed after you asked for this stop`;
  if (others < STOPS_LIMIT) return undefined;
  return `expected at most ${STOPS_LIMIT} stops of ${what}: thaw it, and stop it again`;
}
