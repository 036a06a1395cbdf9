/** How long a stop may last. The command line, the API and control judge by it. */
import { millisecondsOf } from '../../duration.ts';

/** A longer one is a window of the server's file. */
export const STOP_LENGTH = { shortest: '1m', longest: '7d' } as const;

/** How it is written, whatever its length. */
export const STOP_LENGTH_FORM = /^[1-9]\d{0,4}[mhd]$/;

/** As much as people recognise of what may be of any size. */
const FOUND_LIMIT = 20;

/** Milliseconds, or a clause that says why a stop cannot last so long. */
export function lengthOfStop(typed: string): number | string {
  const { shortest, longest } = STOP_LENGTH;
  const lengthMs = STOP_LENGTH_FORM.test(typed) ? (millisecondsOf(typed) ?? 0) : 0;
  const [shortestMs = 0, longestMs = 0] = [shortest, longest].map(millisecondsOf);
  if (lengthMs >= shortestMs && lengthMs <= longestMs) return lengthMs;
  const more = lengthMs > longestMs ? "; for longer, add a freeze to windows in the server's file" : '';
  return `expected a time from ${shortest} to ${longest} for a stop, like 2h, found ${typed.slice(0, FOUND_LIMIT)}${more}`;
}
