/**
 * Entries by the day (UTC) on which they happened. Each is stored as one object at once. When its day is over, the objects are
 * packed into one, so that a day of the past is read by two requests.
 *
 * - Ids are unique: of several entries of a day with one id, the one that was stored singly and has the latest time counts.
 * - Packing writes the packed object before it deletes anything. After a crash in between, an entry is in both, and counts once.
 * - An entry that comes late stays single until the next packing.
 */
import { defined } from '@nereid/domain/defined';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import { z } from 'zod';
import { isUnreadableRecord } from '../errors.ts';
import { ABSENT, type ObjectStore, type StampedKey, type StoredObject } from '../objects/object-store.ts';
import type { RecordFormat } from '../record-format.ts';
import { dayOfKey, endOfDay, entriesPrefix, entryKey, packedKey } from './day-keys.ts';
import { cut, isBefore, newestBelow, newestFirst, type DayEntry, type DayPart, type DayPlace } from './day-parts.ts';

/** How an entry is stored, alone or as a line of a packed day. */
export interface StoredEntry<T> extends DayEntry<T> {
  readonly version: 1;
}

/** Its shape, around the shape of the entry. */
export const storedEntry = <S extends z.ZodType>(entry: S) =>
  z.looseObject({ at: z.iso.datetime(), id: z.string().min(1), entry });

export interface DayLog<T> {
  /** Stores the entry. Again with the same time and id: it is replaced. Throws `InvalidKeyError` where `at` is no time. */
  append(at: string, id: string, entry: T): Promise<void>;
  /**
   * Removes an entry, also from a packed day; a missing one is no failure. While the day is being packed, the entry may stay:
   * its reader takes the newest of several with one id.
   */
  remove(at: string, id: string): Promise<void>;
  /** The newest entries of a day like `2026-11-22`, as in its first part. */
  read(day: string): Promise<readonly DayEntry<T>[]>;
  /**
   * The newest entries of a day, or the newest of those before a place, `DAY_LIMIT` at a time, so that no day is too long to be
   * read. Broken objects are left out. Of two entries with one id that are so far apart that they are in two parts, both are
   * returned.
   */
  readPart(day: string, before?: DayPlace): Promise<DayPart<T>>;
  /**
   * Packs entries of a day that is over, at most `limit`, the oldest first. Returns how many. Broken ones stay where they are.
   * Throws `VersionConflictError` when another process packs the same day.
   */
  pack(day: string, limit?: number): Promise<number>;
  /** Days before this one that have entries to pack, oldest first. Takes one request for each, and one more. */
  daysToPack(options: { readonly before: string; readonly limit: number }): Promise<readonly string[]>;
}

export interface DayLogOptions {
  /** Told of each object that is left out of a day because it is broken or of a newer release. */
  readonly onBroken?: (key: string, error: Error) => void;
  /** For tests, in place of `DAY_LIMIT`. */
  readonly partLimit?: number;
}

/** Of one part: twenty megabytes in memory. A busy day of a large company has a tenth of it. */
export const DAY_LIMIT = 20_000;

/** Single entries that are kept in memory: today is read again and again, and what was stored hardly ever changes. */
const SINGLES_KEPT = 30_000;

/** Far below what one prefix of a bucket takes in a second. */
const AT_ONCE = 32;

export function createDayLog<T>(
  store: ObjectStore,
  {
    prefix,
    format,
    onBroken = () => undefined,
    partLimit = DAY_LIMIT,
  }: DayLogOptions & { readonly prefix: string; readonly format: RecordFormat<StoredEntry<T>> },
): DayLog<T> {
  // With `max`, it would make room for all of them at once.
  const kept = new LRUCache<string, Kept<T>>({ maxSize: SINGLES_KEPT, sizeCalculation: () => 1 });

  /** Those that are known with the same stamp are not read again. */
  async function readStamped(stamped: readonly StampedKey[]): Promise<readonly StoredEntry<T>[]> {
    const read = async ({ key, stamp }: StampedKey) => {
      const known = kept.get(key);
      if (known?.stamp === stamp) return known.entry ?? [];
      const found = await store.get(key);
      const entry = found && decode(key, found.body);
      if (found !== undefined) kept.set(key, { stamp, entry });
      return entry ?? [];
    };
    return (await pMap(stamped, read, { concurrency: AT_ONCE })).flat();
  }

  async function readPart(day: string, before?: DayPlace): Promise<DayPart<T>> {
    const { newest, leftAt } = await newestBelow(store, entriesPrefix(prefix, day), { before, limit: partLimit });
    const singles = await readStamped(newest);
    // Last: an entry that was packed meanwhile is not missed.
    const packed = packedKey(prefix, day);
    const lines = linesOf(packed, await store.get(packed)).flatMap(({ entry }) => entry ?? []);
    const byId = new Map([...lines, ...singles].map(({ at, id, entry }) => [id, { at, id, entry }]));
    const all = [...byId.values()].filter((entry) => before === undefined || isBefore(entry, before));
    return cut(all.toSorted(newestFirst), partLimit, leftAt);
  }

  async function readSingles(keys: readonly string[]): Promise<readonly Single<T>[]> {
    const read = async (key: string) => {
      const found = await store.get(key);
      const entry = found && decode(key, found.body);
      return entry ? [{ key, entry }] : [];
    };
    return (await pMap(keys, read, { concurrency: AT_ONCE })).flat();
  }

  function decode(key: string, body: Uint8Array): StoredEntry<T> | undefined {
    try {
      return format.decode(key, body);
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      onBroken(key, error);
      return undefined;
    }
  }

  /** Lines that cannot be read keep their place. */
  function linesOf(key: string, found: StoredObject | undefined): readonly Line<T>[] {
    if (found === undefined) return [];
    const texts = new TextDecoder().decode(found.body).split('\n');
    return texts.filter((text) => text !== '').map((text) => ({ text, entry: decode(key, Buffer.from(text)) }));
  }

  async function write(key: string, lines: readonly string[], found: StoredObject | undefined): Promise<void> {
    await store.put(key, Buffer.from(lines.map((line) => `${line}\n`).join('')), {
      ifVersion: found?.version ?? ABSENT,
    });
  }

  async function removePacked(key: string, id: string): Promise<void> {
    const found = await store.get(key);
    const lines = linesOf(key, found);
    const left = lines.filter(({ entry }) => entry?.id !== id);
    if (left.length < lines.length)
      await write(
        key,
        left.map(({ text }) => text),
        found,
      );
  }

  return {
    async append(at, id, entry) {
      const key = entryKey(prefix, at, id);
      // In UTC, so that entries sort by it.
      await store.put(key, format.encode(key, { version: 1, at: new Date(at).toISOString(), id, entry }));
    },

    async remove(at, id) {
      const key = entryKey(prefix, at, id);
      await store.delete(key);
      await removePacked(packedKey(prefix, dayOfKey(prefix, key) ?? ''), id);
    },

    read: async (day) => (await readPart(day)).entries,
    readPart,

    async pack(day, limit = DAY_LIMIT) {
      const packed = packedKey(prefix, day);
      const below = entriesPrefix(prefix, day);
      const found = await store.get(packed);
      const stamps = await stampsBelow(store, below, limit);
      const singles = await readSingles([...stamps.keys()]);
      if (singles.length === 0) return 0;
      const replaced = new Set(singles.map(({ entry }) => entry.id));
      const kept = linesOf(packed, found).filter(({ entry }) => entry === undefined || !replaced.has(entry.id));
      const added = new Map(singles.map(({ entry }) => [entry.id, JSON.stringify(entry)]));
      await write(packed, [...kept.map(({ text }) => text), ...added.values()], found);
      // One that was replaced meanwhile stays for the next time.
      const now = await stampsBelow(store, below, limit);
      const gone = singles.filter(({ key }) => now.get(key) === stamps.get(key));
      await pMap(gone, ({ key }) => store.delete(key), { concurrency: AT_ONCE });
      return singles.length;
    },

    async daysToPack({ before, limit }) {
      const days: string[] = [];
      let after: string | undefined;
      while (days.length < limit) {
        const day = await nextDay(store, prefix, after);
        if (day === undefined || day >= before) break;
        days.push(day);
        after = endOfDay(prefix, day);
      }
      return days;
    },
  };
}

interface Kept<T> {
  readonly stamp: string;
  /** Undefined when it cannot be read. */
  readonly entry: StoredEntry<T> | undefined;
}

interface Single<T> {
  readonly key: string;
  readonly entry: StoredEntry<T>;
}

interface Line<T> {
  readonly text: string;
  /** Undefined when the line cannot be read. */
  readonly entry: StoredEntry<T> | undefined;
}

async function stampsBelow(store: ObjectStore, below: string, limit: number): Promise<ReadonlyMap<string, string>> {
  const stamps = new Map<string, string>();
  for await (const { key, stamp } of store.listStamped(below, { limit })) stamps.set(key, stamp);
  return stamps;
}

async function nextDay(store: ObjectStore, prefix: string, after: string | undefined): Promise<string | undefined> {
  const options = { limit: 1, ...defined({ after }) };
  for await (const key of store.list(`${prefix}/`, options)) return dayOfKey(prefix, key);
  return undefined;
}
