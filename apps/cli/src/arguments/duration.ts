import { millisecondsOf } from '@nereid/domain/duration';
import { wrongUsage } from '../exit-code.ts';

/** Timers of Node take no longer one: 24.8 days, in milliseconds. */
const LONGEST_MS = 2_147_483_647;

/** `90s`, `10m`, `2h` or `7d`, in milliseconds. */
export function parseDuration(text: string, option: string): number {
  const why = whyNoDuration(text, option);
  if (why !== undefined) throw wrongUsage(why);
  return millisecondsOf(text) ?? 0;
}

export function whyNoDuration(text: string, option: string): string | undefined {
  const ms = millisecondsOf(text) ?? 0;
  if (ms > 0 && ms <= LONGEST_MS) return undefined;
  return `expected a time like 90s, 10m or 2h, at most 24d, as --${option}, found ${text}`;
}
