/** The hours of the day at which a destination is notified. They are computed on the clocks of a time zone, as windows are. */
import type { NotificationTopic } from '@nereid/domain/notification';
import { describeTime } from '../windows/describe-window.ts';
import { instantOf, wallAt } from '../windows/zoned-time.ts';

/** Every day from one time to the other, which may be on the next day. */
export interface QuietHours {
  /** Since midnight, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** A name of the IANA database. */
  readonly timezone: string;
  /** The topics that are delivered all the same. */
  readonly passing: readonly NotificationTopic[];
}

/** One message a day. */
export interface DailyDigest {
  /** Since midnight, in milliseconds. */
  readonly atMs: number;
  /** A name of the IANA database. */
  readonly timezone: string;
}

/** Neither, unless the file says so. */
export interface DeliveryHours {
  readonly quiet?: QuietHours;
  readonly digest?: DailyDigest;
}

const DAY_MS = 86_400_000;

/** When what came at this time is due for the first time. All times here are in epoch milliseconds. */
export function firstDueAt({ quiet, digest }: DeliveryHours, arrivedAt: number): number {
  if (digest) return nextTimeOf(digest, arrivedAt);
  return (quiet && endOfQuiet(quiet, arrivedAt)) ?? arrivedAt;
}

/** Until when everything is held back that came at this time; undefined if it is due. */
export function heldBackUntil(hours: DeliveryHours, arrivedAt: number, now: number): number | undefined {
  const { quiet, digest } = hours;
  if (digest) return firstDueAt(hours, arrivedAt) > now ? firstDueAt(hours, arrivedAt) : undefined;
  return quiet?.passing.length === 0 ? endOfQuiet(quiet, now) : undefined;
}

/** Whether the notification has to wait for the end of the quiet hours, while others pass. */
export function isHeldBack({ quiet }: DeliveryHours, type: NotificationTopic, now: number): boolean {
  return quiet !== undefined && !quiet.passing.includes(type) && endOfQuiet(quiet, now) !== undefined;
}

/** "quiet until Mon 08:00 Europe/Berlin"; undefined of a destination that is notified at once. */
export function describeHours({ quiet, digest }: DeliveryHours, now: number): string | undefined {
  if (digest) return `next digest ${describeTime(digest.timezone, nextTimeOf(digest, now), now)}`;
  const until = quiet && endOfQuiet(quiet, now);
  return until === undefined ? undefined : `quiet until ${describeTime(quiet?.timezone ?? '', until, now)}`;
}

/** `2026-11-29`, on the clocks of the zone. */
export function dayIn(timezone: string, at: number): string {
  return new Date(wallAt(timezone, at)).toISOString().slice(0, 10);
}

/** The end of the quiet hours that this time is in. */
function endOfQuiet({ fromMs, toMs, timezone }: QuietHours, at: number): number | undefined {
  const today = midnightBefore(timezone, at);
  return [today - DAY_MS, today]
    .map((day) => ({
      from: instantOf(timezone, day + fromMs),
      to: instantOf(timezone, day + toMs + (toMs > fromMs ? 0 : DAY_MS)),
    }))
    .find(({ from, to }) => from <= at && at < to)?.to;
}

/** The next one after this time. */
function nextTimeOf({ atMs, timezone }: DailyDigest, at: number): number {
  const today = midnightBefore(timezone, at);
  const [next = at] = [today, today + DAY_MS].map((day) => instantOf(timezone, day + atMs)).filter((each) => each > at);
  return next;
}

/** As a wall time of the zone. */
function midnightBefore(timezone: string, at: number): number {
  return Math.floor(wallAt(timezone, at) / DAY_MS) * DAY_MS;
}
