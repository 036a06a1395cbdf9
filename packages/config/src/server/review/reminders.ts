/** Who is reminded of a review, as the server's file says it: of several rules, the nearest. */
import { defined } from '@nereid/domain/defined';
import type { Reminders } from '@nereid/domain/gates';
import { durationText, millisecondsOf } from '@nereid/domain/duration';
import type { ReviewSettings } from '../repository-entry.ts';
import type * as written from './review-schema.ts';
import { timeOfDay } from '../windows/time-of-day.ts';
import { WEEKDAYS, type WorkingHours } from '../windows/working-hours.ts';

export interface RootReminders extends Reminders {
  /** Absent where all hours count. */
  readonly hours?: WorkingHours;
}

type Written = Pick<written.Review, 'remind' | 'escalate' | 'hours'>;

const MINUTE_MS = 60_000;

const WORKDAYS = WEEKDAYS.slice(0, 5);

export function normaliseReminders({ remind, escalate, hours }: Written): ReviewSettings {
  return {
    ...(remind && { remindMs: remind.map((each) => millisecondsOf(each) ?? 0).toSorted((one, other) => one - other) }),
    ...(escalate && { escalate: { afterMs: millisecondsOf(escalate.after) ?? 0, to: escalate.to } }),
    ...(hours && { hours: hoursOf(hours) }),
  };
}

function hoursOf({ days = WORKDAYS, from, to, timezone }: NonNullable<Written['hours']>): WorkingHours {
  return { days, fromMs: timeOfDay(from), toMs: timeOfDay(to), timezone };
}

/** Undefined where nobody is reminded. */
export function remindersOf({ remindMs = [], escalate, hours }: ReviewSettings = {}): RootReminders | undefined {
  if (remindMs.length === 0 && escalate === undefined) return undefined;
  return { remindMs, ...defined({ escalate, hours }) };
}

export function remindText(remindMs: readonly number[] | undefined): string | undefined {
  return remindMs && `after ${remindMs.map(durationText).join(', ')}`;
}

export function escalateText(escalate: ReviewSettings['escalate']): string | undefined {
  return escalate && `after ${durationText(escalate.afterMs)} to ${escalate.to}`;
}

/** "mon, tue, 09:00 to 17:00 Europe/Berlin". */
export function hoursText(hours: WorkingHours | undefined): string | undefined {
  return hours && `${hours.days.join(', ')}, ${clockText(hours.fromMs)} to ${clockText(hours.toMs)} ${hours.timezone}`;
}

function clockText(ms: number): string {
  const minutes = ms / MINUTE_MS;
  const padded = (number: number) => String(number).padStart(2, '0');
  return `${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}
