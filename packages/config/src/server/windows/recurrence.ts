/**
 * When a window begins. Its rule is computed on the clocks of its zone, where every day has 24 hours, and only then turned into
 * times: so a beginning that summer time skips is moved, where RFC 5545 would leave it out and a freeze would not begin.
 */
import { RRuleTemporal } from 'rrule-temporal';
import type { ChangeWindow } from './change-window.ts';
import { instantOf, wallAt } from './zoned-time.ts';

const DAY_MS = 86_400_000;

type Recurring = Pick<ChangeWindow, 'rrule' | 'dtstart' | 'timezone'>;

/** From its beginning to its end, which is not part of it. Both in epoch milliseconds. */
export interface Occurrence {
  readonly from: number;
  readonly to: number;
}

const rules = new WeakMap<Recurring, RRuleTemporal>();

/**
 * Those that last at some time between the two, both in epoch milliseconds. A window lasts its duration as elapsed time. It ends by
 * the clocks where its days are whole, or where they show the next beginning then: so a day of 25 hours leaves no gap between two.
 */
export function occurrencesBetween(
  window: Recurring & Pick<ChangeWindow, 'durationMs'>,
  from: number,
  to: number,
): readonly Occurrence[] {
  const { timezone, durationMs } = window;
  // No clock is ever put on or back by more than a day.
  const [first, last] = [wallAt(timezone, from) - durationMs - DAY_MS, wallAt(timezone, to) + DAY_MS];
  const isOfDays = durationMs % DAY_MS === 0;
  const walls = wallsBetween(window, first, isOfDays ? last : last + durationMs);
  const beginnings = new Set(isOfDays ? [] : walls);
  return walls
    .filter((wall) => wall <= last)
    .map((wall) => {
      const [begins, end] = [instantOf(timezone, wall), wall + durationMs];
      const isByClocks = isOfDays || beginnings.has(end);
      return { from: begins, to: isByClocks ? instantOf(timezone, end) : begins + durationMs };
    })
    .filter((one) => one.to > from && one.from <= to);
}

/** The first beginnings on the clocks of its zone. Throws where the rule makes no sense, or never begins. */
export function firstWalls(window: Recurring, count: number): readonly number[] {
  if (window.rrule === undefined) return [wallOf(window.dtstart)];
  const walls: number[] = [];
  ruleOf(window, window.rrule).all(({ epochMilliseconds }) => {
    walls.push(epochMilliseconds);
    return walls.length < count;
  });
  return walls;
}

function wallsBetween(window: Recurring, from: number, to: number): readonly number[] {
  if (window.rrule === undefined) return [wallOf(window.dtstart)];
  const found = ruleOf(window, window.rrule).between(new Date(from), new Date(to), true);
  return found.map(({ epochMilliseconds }) => epochMilliseconds);
}

function ruleOf(window: Recurring, rrule: string): RRuleTemporal {
  const known = rules.get(window);
  if (known !== undefined) return known;
  const start = withoutMarks(wallOf(window.dtstart));
  const rruleString = `DTSTART;TZID=UTC:${start}\nRRULE:${untilOnWall(rrule, window.timezone)}`;
  const made = new RRuleTemporal({ rruleString, strict: true, cache: false });
  rules.set(window, made);
  return made;
}

/** RFC 5545 has the end of a rule in UTC. A date alone is the whole day. */
function untilOnWall(rrule: string, zone: string): string {
  return rrule.replace(/UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?/, (until, ...parts: readonly unknown[]) => {
    const [year = 0, month = 0, day = 0, hour, minute = 0, second = 0] = parts
      .slice(0, 6)
      .map((part) => (part === undefined ? undefined : Number(part)));
    if (hour === undefined) return `${until}T235959Z`;
    return `UNTIL=${withoutMarks(wallAt(zone, Date.UTC(year, month - 1, day, hour, minute, second)))}Z`;
  });
}

/** `NaN` for a day that no calendar has. */
export function wallOf(dtstart: string): number {
  const wall = Date.parse(`${dtstart}:00Z`);
  return Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(dtstart) ? NaN : wall;
}

/** `20261219T180000`. */
function withoutMarks(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
}
