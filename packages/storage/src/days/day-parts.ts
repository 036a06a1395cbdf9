/** The parts in which a day is read, the newest first, so that no day is too long. Each begins with a time of its own. */
import type { ObjectStore, StampedKey } from '../objects/object-store.ts';
import { timeInKey, timeOfName } from './day-keys.ts';

export interface DayEntry<T> {
  /** ISO 8601. */
  readonly at: string;
  readonly id: string;
  readonly entry: T;
}

/** A place in a day: what happened before it is to come. */
export interface DayPlace {
  /** ISO 8601. */
  readonly at: string;
  /** Of several entries at this time, those with a smaller id are to come; empty: none of them. */
  readonly id: string;
}

export interface DayPart<T> {
  /** Newest first. */
  readonly entries: readonly DayEntry<T>[];
  /** Where the older entries of the day go on; absent when there are none. */
  readonly next?: DayPlace;
}

interface Newest {
  readonly newest: readonly StampedKey[];
  /** ISO 8601: when the newest of those happened that are left for another part; absent when there are none. */
  readonly leftAt?: string;
}

interface NewestOptions {
  readonly before: DayPlace | undefined;
  readonly limit: number;
}

/** The newest keys below a prefix, and before a place. */
export async function newestBelow(store: ObjectStore, below: string, options: NewestOptions): Promise<Newest> {
  const { before, limit } = options;
  const timeOf = ({ key }: StampedKey): string | undefined => timeOfName(key.slice(below.length));
  const end = before && `${below}${timeInKey(new Date(before.at))}~`;
  let newest: StampedKey[] = [];
  for await (const each of store.listStamped(below)) {
    if (end !== undefined && each.key > end) break;
    if (timeOf(each) === undefined) continue;
    newest.push(each);
    if (newest.length > 2 * limit) newest = newest.slice(-limit - 1);
  }
  const left = newest.at(-limit - 1);
  const leftAt = left && timeOf(left);
  return leftAt === undefined ? { newest } : { newest: newest.slice(-limit), leftAt };
}

/**
 * The first of these, which are sorted, and all of a time or none. Of more than fit in a part that happened in one millisecond, the
 * others are left out: nobody does as much.
 */
export function cut<T>(entries: readonly DayEntry<T>[], limit: number, leftBelow: string | undefined): DayPart<T> {
  const leftAt = [entries[limit]?.at, leftBelow].reduce(later, undefined);
  if (leftAt === undefined) return { entries };
  const younger = entries.filter(({ at }) => at > leftAt);
  if (younger.length === 0) return { entries: entries.slice(0, limit), next: { at: leftAt, id: '' } };
  return { entries: younger, next: { at: new Date(Date.parse(leftAt) + 1).toISOString(), id: '' } };
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

export function isBefore(entry: DayPlace, place: DayPlace): boolean {
  return entry.at < place.at || (entry.at === place.at && entry.id < place.id);
}

export function newestFirst<T>(one: DayEntry<T>, other: DayEntry<T>): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}
