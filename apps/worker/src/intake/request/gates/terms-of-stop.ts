/** What holds of every stop, whatever it is about. */
import { lengthOfStop } from '@nereid/domain/actions';

/** More than people keep in mind. */
const STOPS_LIMIT = 20;

/** When a stop ends, in epoch milliseconds, or a sentence. */
export function endOfStop(askedAt: string, duration: string): number | string {
  const lengthMs = lengthOfStop(duration);
  return typeof lengthMs === 'number' ? Date.parse(askedAt) + lengthMs : lengthMs;
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
