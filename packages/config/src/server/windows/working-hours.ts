/** The time of a wait, as far as it was within the working hours of the people who are waited for. */
import { instantOf, wallAt } from './zoned-time.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export interface WorkingHours {
  readonly days: readonly (typeof WEEKDAYS)[number][];
  /** From midnight on, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** A name of the IANA database. */
  readonly timezone: string;
}

const DAY_MS = 86_400_000;

/** No order lives longer, so no wait lasts longer. */
const LONGEST_MS = 400 * DAY_MS;

/** Without hours, all of the time counts. Times are in epoch milliseconds, and the result in milliseconds. */
export function workedMs(hours: WorkingHours | undefined, from: number, to: number): number {
  if (Number.isNaN(to - from)) return 0;
  if (hours === undefined) return to - from;
  const start = Math.max(from, to - LONGEST_MS);
  let sum = 0;
  for (let day = dayAt(hours, start); day <= dayAt(hours, to); day += 1) sum += workedOn(day, hours, start, to);
  return sum;
}

function dayAt({ timezone }: WorkingHours, at: number): number {
  return Math.floor(wallAt(timezone, at) / DAY_MS);
}

function workedOn(day: number, { days, fromMs, toMs, timezone }: WorkingHours, from: number, to: number): number {
  if (!days.includes(weekdayOf(day))) return 0;
  const opens = instantOf(timezone, day * DAY_MS + fromMs);
  const closes = instantOf(timezone, day * DAY_MS + toMs);
  return Math.max(0, Math.min(closes, to) - Math.max(opens, from));
}

/** Day 0, 1 January 1970, was a Thursday. */
function weekdayOf(day: number): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[(day + 3) % 7] ?? 'mon';
}
