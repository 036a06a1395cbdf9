/** Walks back through the days of the trail, newest entry first, from a place where an earlier list ended. */
import { isBefore, type DayPlace } from '@nereid/storage';

export interface Entry<T> {
  /** ISO 8601. */
  readonly at: string;
  readonly id: string;
  readonly entry: T;
}

/** Everything before it, newest first, is still to come. */
export type Place = DayPlace;

export interface Part<T> {
  readonly entries: readonly Entry<T>[];
  /** Where the older entries of the day go on; absent when there are none. */
  readonly next?: Place;
}

export interface Walk<T> {
  /** The newest part of a day, or what comes before a place in it. */
  readonly read: (day: string, before?: Place) => Promise<Part<T>>;
  readonly wanted: (entry: Entry<T>) => boolean | Promise<boolean>;
  /** Nobody waits any longer: the walk ends, and says where to go on. Default: everybody does. */
  readonly isOver?: () => boolean;
  readonly before: Place;
  /** No entry before it is looked at. ISO 8601. */
  readonly from: string;
  readonly limit: number;
}

export interface Walked<T> {
  readonly items: readonly Entry<T>[];
  /** Where to go on; undefined at the end. */
  readonly next?: Place;
}

/** A filter that few entries meet must not read a year for one page, nor days that somebody filled. */
const DAYS_LIMIT = 31;
const PARTS_LIMIT = 40;

/** Before the first release. */
export const BEGINNING = '2026-11-01T00:00:00.000Z';

const DAY_MS = 24 * 3_600_000;

export async function walkBack<T>(walk: Walk<T>): Promise<Walked<T>> {
  const { read, wanted, before, from, limit, isOver = () => false } = walk;
  const items: Entry<T>[] = [];
  let day = dayOf(before.at);
  let parts = 0;
  for (let count = 0; count < DAYS_LIMIT && day >= dayOf(from); count += 1, day = dayBefore(day)) {
    let place: Place | undefined;
    do {
      if (isOver()) return { items, next: place ?? (count === 0 ? before : endOf(day)) };
      const { entries, next } = await read(day, place);
      for (const entry of entries) {
        if (!isBefore(entry, before) || entry.at < from) continue;
        if (!(await wanted(entry))) continue;
        items.push(entry);
        if (items.length === limit) return { items, next: { at: entry.at, id: entry.id } };
      }
      // Whatever lies between here and where the list goes on was in the lists before.
      place = next && isBefore(before, next) ? before : next;
      parts += 1;
      if (place !== undefined && parts >= PARTS_LIMIT) return { items, next: place };
    } while (place !== undefined && place.at > from);
  }
  return day < dayOf(from) ? { items } : { items, next: endOf(day) };
}

export function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

function dayBefore(day: string): string {
  return shifted(day, -DAY_MS);
}

/** Everything of the day is before it. */
function endOf(day: string): Place {
  return { at: `${shifted(day, DAY_MS)}T00:00:00.000Z`, id: '' };
}

function shifted(day: string, ms: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + ms).toISOString().slice(0, 10);
}
