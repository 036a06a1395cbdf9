/** Windows in words, for people who wait. */
import type { ChangeWindow } from './change-window.ts';
import { wallAt } from './zoned-time.ts';

const DAY_MS = 86_400_000;

/** A day of the week says enough for so long. */
const WEEKDAY_MS = 6 * DAY_MS;

/** "change freeze “Year end”", as the end of a sentence. */
export function describeWindow({ name, kind }: Pick<ChangeWindow, 'name' | 'kind'>): string {
  return kind === 'deny' ? `change freeze “${name}”` : `outside of “${name}”`;
}

/** "Mon 08:00 Europe/Berlin"; with its date where it is more than six days from now. Both times are in epoch milliseconds. */
export function describeTime(zone: string, at: number, now: number): string {
  return `${describeTimeOfDay(zone, at, now)} ${zone}`;
}

/** The same where the sentence has named the zone already. */
export function describeTimeOfDay(zone: string, at: number, now: number): string {
  const [then, today] = [new Date(wallAt(zone, at)), new Date(wallAt(zone, now))];
  const [weekday, day, month, year, time] = partsOf(then);
  const isNear = Math.abs(at - now) <= WEEKDAY_MS;
  const isThisYear = then.getUTCFullYear() === today.getUTCFullYear();
  const date = isNear ? [weekday] : [weekday, day, month, ...(isThisYear ? [] : [year])];
  return [...date, time].join(' ');
}

/** `toUTCString` is "Mon, 04 Jan 2027 08:00:00 GMT". */
function partsOf(wall: Date): readonly string[] {
  const [weekday = '', day = '', month = '', year = '', time = ''] = wall.toUTCString().replace(',', '').split(' ');
  return [weekday, String(Number(day)), month, year, time.slice(0, 5)];
}
