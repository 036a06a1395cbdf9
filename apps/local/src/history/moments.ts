/** When people work: on weekdays, by day, and now and then on a weekend. Times are milliseconds since 1970, in UTC. */
import type { Random } from '../random.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const [BEGIN_HOUR, END_HOUR] = [8, 18];

/** Times within the week before `untilMs`, in order; about `perDay` on each weekday. */
export function workingMoments(random: Random, untilMs: number, perDay: number): readonly number[] {
  const days = Array.from({ length: 8 }, (_, index) => startOfDay(untilMs) - (7 - index) * DAY_MS);
  return days
    .flatMap((day) => {
      const count = isWeekend(day) ? random.integer(2) : perDay - 1 + random.integer(3);
      return Array.from({ length: count }, () => day + hoursOfWork(random));
    })
    .filter((at) => at > untilMs - 7 * DAY_MS && at < untilMs)
    .toSorted((one, other) => one - other);
}

/** A time on the next weekday, not long after people have come. */
export function nextMorning(random: Random, afterMs: number): number {
  let day = startOfDay(afterMs) + DAY_MS;
  while (isWeekend(day)) day += DAY_MS;
  return day + BEGIN_HOUR * HOUR_MS + random.integer(90) * MINUTE_MS;
}

/** Few people start something at the end of the day. */
export function isLate(ms: number): boolean {
  return ms - startOfDay(ms) > (END_HOUR - 2) * HOUR_MS;
}

function hoursOfWork(random: Random): number {
  return BEGIN_HOUR * HOUR_MS + random.integer((END_HOUR - BEGIN_HOUR) * 60) * MINUTE_MS + random.integer(MINUTE_MS);
}

function startOfDay(ms: number): number {
  return ms - (ms % DAY_MS);
}

function isWeekend(ms: number): boolean {
  return [0, 6].includes(new Date(ms).getUTCDay());
}
