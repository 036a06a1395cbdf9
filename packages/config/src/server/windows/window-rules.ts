/** Rules for the windows of the server's file: each can be computed, and none closes for ever. */
import { NAME_RULE } from '../glob.ts';
import { nearestOf } from '../../yaml/nearest.ts';
import { describeValue, quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { ChangeWindow } from './change-window.ts';
import { firstWalls, wallOf } from './recurrence.ts';
import { isTimeZone } from './zoned-time.ts';

/** The part of the file that the rules below judge. */
export interface WindowSubject {
  /** Each with its place in the file's list. */
  readonly windows: readonly { readonly index: number; readonly window: ChangeWindow }[];
}

/** People who wait read the name. */
export function windowsHaveNamesOfTheirOwn({ windows }: WindowSubject, report: Report): void {
  const seen = new Map<string, number>();
  for (const { index, window } of windows) {
    const first = seen.get(window.name);
    if (first === undefined) seen.set(window.name, index);
    else
      report.error(
        ['windows', index, 'name'],
        `expected each name once, found ${quote(window.name)}, which is windows[${first}] already; choose another one`,
      );
  }
}

export function windowZonesExist({ windows }: WindowSubject, report: Report): void {
  for (const { index, window } of windows) {
    if (isTimeZone(window.timezone)) continue;
    const nearest = nearestOf(window.timezone, Intl.supportedValuesOf('timeZone'));
    const remedy = nearest === undefined ? 'write it like Europe/Berlin' : `did you mean ${quote(nearest)}?`;
    report.error(
      ['windows', index, 'timezone'],
      `expected a time zone of the IANA database, found ${quote(window.timezone)}; ${remedy}`,
    );
  }
}

/** A repository's own file gives its roots their names. */
export function windowsGoByDirectory({ windows }: WindowSubject, report: Report): void {
  for (const { index, window } of windows) {
    for (const [place, match] of window.roots.entries())
      if (match.startsWith(NAME_RULE))
        report.warn(
          ['windows', index, 'roots', place],
          `expected a directory, found the name ${quote(match)}: a repository names its roots itself, so it can escape this window; match the directory`,
        );
  }
}

/** Beginnings that are looked at: more than a year of them where there is one each day. */
const LOOKED_AT = 400;

/** Each hour once. Two years of beginnings are looked through for the next change, in the process that answers everybody. */
const DAILY_LIMIT = 24;

export function windowsCanBeComputed({ windows }: WindowSubject, report: Report): void {
  for (const { index, window } of windows) {
    if (!isTimeZone(window.timezone)) continue;
    if (Number.isNaN(wallOf(window.dtstart)))
      report.error(
        ['windows', index, 'dtstart'],
        `expected a day of the calendar, found ${quote(window.dtstart)}; write it like 2026-12-19T18:00`,
      );
    else {
      const unknown = unknownPart(window.rrule ?? 'FREQ=DAILY');
      if (unknown === undefined) judgeBeginnings(window, index, report);
      else report.error(['windows', index, 'rrule'], `expected ${unknown.expected}, found ${quote(unknown.part)}`);
    }
  }
}

function judgeBeginnings(window: ChangeWindow, index: number, report: Report): void {
  const walls = beginningsOf(window);
  if (typeof walls === 'string' || walls.length === 0) {
    const why = typeof walls === 'string' ? `: ${walls}` : '';
    report.error(
      ['windows', index, 'rrule'],
      `expected a rule by which the window begins, found ${describeValue(window.rrule)}, which never does${why}; try it in a calendar`,
    );
    return;
  }
  const most = mostInOneDay(walls);
  if (most > DAILY_LIMIT)
    report.error(
      ['windows', index, 'rrule'],
      `expected a rule that begins at most ${DAILY_LIMIT} times a day, found ${describeValue(window.rrule)}, which begins ${most} times; leave out hours or minutes, or make the window longer`,
    );
  const gaps = walls.slice(1).map((wall, place) => wall - (walls[place] ?? wall));
  const shortest = Math.min(...gaps);
  if (window.durationMs > shortest)
    report.error(
      ['windows', index, 'duration'],
      `expected a duration of at most ${inUnits(shortest)}, the time from one beginning to the next, found ${inUnits(window.durationMs)}; shorten it, or have it begin less often`,
    );
  else if (window.kind === 'deny' && isEndless(window) && gaps.every((gap) => gap <= window.durationMs))
    report.error(
      ['windows', index, 'duration'],
      `expected a time at which nothing is denied, found a window that begins whenever it ends, for ever; shorten it, or end its rule with UNTIL or COUNT`,
    );
}

function mostInOneDay(walls: readonly number[]): number {
  const days = Map.groupBy(walls, (wall) => Math.floor(wall / 86_400_000));
  return Math.max(...[...days.values()].map((day) => day.length));
}

/** On the clocks of its zone; or why they cannot be computed. The library stops by itself where a rule never begins. */
function beginningsOf(window: ChangeWindow): readonly number[] | string {
  try {
    return firstWalls(window, LOOKED_AT);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isEndless({ rrule = 'COUNT=1' }: ChangeWindow): boolean {
  return !/(?:^|;)(?:COUNT|UNTIL)=/.test(rrule);
}

function inUnits(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes % 1_440 === 0) return `${minutes / 1_440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

const WEEKDAY = '(?:MO|TU|WE|TH|FR|SA|SU)';

/**
 * The parts of a rule. A window that begins more often than by the hour of a day is none, so the frequencies below a day are left out,
 * and every rule is computed in bounded time.
 */
const PARTS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['FREQ', matching(/^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/)],
  ['INTERVAL', matching(/^[1-9]\d{0,2}$/)],
  ['COUNT', matching(/^[1-9]\d{0,2}$/)],
  ['UNTIL', matching(/^\d{8}(?:T\d{6}Z)?$/)],
  ['BYMONTH', numbers(1, 12)],
  ['BYWEEKNO', numbers(1, 53, 'from both ends')],
  ['BYYEARDAY', numbers(1, 366, 'from both ends')],
  ['BYMONTHDAY', numbers(1, 31, 'from both ends')],
  ['BYDAY', matching(new RegExp(`^(?:[+-]?[1-9]\\d?)?${WEEKDAY}(?:,(?:[+-]?[1-9]\\d?)?${WEEKDAY}){0,20}$`))],
  ['BYHOUR', numbers(0, 23)],
  ['BYMINUTE', numbers(0, 59)],
  ['BYSETPOS', numbers(1, 366, 'from both ends')],
  ['WKST', matching(new RegExp(`^${WEEKDAY}$`))],
]);

function matching(pattern: RegExp): (value: string) => boolean {
  return (value) => pattern.test(value);
}

function numbers(least: number, most: number, ends?: 'from both ends'): (value: string) => boolean {
  return (value) =>
    value.split(',').every((one) => {
      const number = Number(one);
      const counted = ends === undefined ? number : Math.abs(number);
      return /^[+-]?\d{1,3}$/.test(one) && counted >= least && counted <= most;
    });
}

/** The first part of a rule that is not as RFC 5545 has it; undefined when there is none. */
function unknownPart(rrule: string): { readonly part: string; readonly expected: string } | undefined {
  const known = `parts of a rule of RFC 5545, like "FREQ=WEEKLY;BYDAY=MO,TU", with ${[...PARTS.keys()].join(', ')}`;
  const parts = rrule.split(';');
  const wrong = parts.find((part) => {
    const [name = '', value = '', ...more] = part.split('=');
    return more.length > 0 || PARTS.get(name)?.(value) !== true;
  });
  if (wrong !== undefined) return { part: wrong, expected: known };
  const names = parts.map((part) => part.split('=')[0]);
  if (new Set(names).size < names.length) return { part: rrule, expected: 'each part of a rule once' };
  return names.includes('FREQ') ? undefined : { part: rrule, expected: known };
}
