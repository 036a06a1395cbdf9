/** Rules for the windows of the server's file: each can be computed, and none closes for ever. */
import { durationText } from '@nereid/domain/duration';
import { warnOfNames } from '../scope/scope-rules.ts';
import { reportRepeatedNames } from '../../yaml/names-once.ts';
import { describeValue, quote } from '../../yaml/problem.ts';
import type { Report } from '../../yaml/report.ts';
import type { Placed } from '../../yaml/sound.ts';
import type { ChangeWindow } from './change-window.ts';
import { findUnknownPart } from './recurrence-grammar.ts';
import { firstWalls, wallOf } from './recurrence.ts';

/** The part of the file that the rules below judge. */
export interface WindowSubject {
  readonly windows: readonly Placed<ChangeWindow>[];
}

/** People who wait read the name. */
export function windowsHaveNamesOfTheirOwn({ windows }: WindowSubject, report: Report): void {
  reportRepeatedNames('windows', windows, report);
}

export function windowsGoByDirectory({ windows }: WindowSubject, report: Report): void {
  warnOfNames('windows', 'window', windows, report);
}

/** Beginnings that are looked at: more than a year of them where there is one each day. */
const LOOKED_AT = 400;

/** Each hour once. Two years of beginnings are looked through for the next change, in the process that answers everybody. */
const DAILY_LIMIT = 24;

export function windowsCanBeComputed({ windows }: WindowSubject, report: Report): void {
  for (const { index, value: window } of windows) {
    if (Number.isNaN(wallOf(window.dtstart)))
      report.error(
        ['windows', index, 'dtstart'],
        `expected a day of the calendar, found ${quote(window.dtstart)}; write it like 2026-12-19T18:00`,
      );
    else {
      const unknown = findUnknownPart(window.rrule ?? 'FREQ=DAILY');
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
      `expected a duration of at most ${durationText(shortest)}, the time from one beginning to the next, found ${durationText(window.durationMs)}; shorten it, or have it begin less often`,
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
