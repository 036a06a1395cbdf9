/** Keeps in memory what was read of days of the trail: a day that is over hardly ever changes. */
import { LRUCache } from 'lru-cache';
import type { Place } from './walk-back.ts';

export interface DayCacheOptions<T extends object> {
  /** `day` is one in UTC, like `2026-11-22`. Without a place, the newest part of it. */
  readonly read: ReadParts<T>;
  readonly sizeOf: (value: T) => number;
  /** Of all days together. */
  readonly sizeLimit: number;
  /** For tests. */
  readonly now?: () => number;
}

export type ReadDay<T> = (day: string) => Promise<T>;

/** Of a day that may be too long to be read at once. */
export type ReadParts<T> = (day: string, before?: Place) => Promise<T>;

/** Pages that are open follow the day; its events are listed for each reading. */
const TODAY_MS = 10_000;

/** How long after something happened the lists have it. A worker stores it within a second. */
export const IN_LISTS_MS = TODAY_MS + 1_000;

/** Events that were kept back by an outage still come to a day that is over. */
const EARLIER_MS = 10 * 60_000;

const DAY_MS = 24 * 3_600_000;

/** Who asks while a day is read waits for the same reading. A failure is not kept. */
export function createDayCache<T extends object>(options: DayCacheOptions<T>): ReadParts<T> {
  const { read, sizeOf, sizeLimit, now = Date.now } = options;
  const known = new LRUCache<string, T>({ maxSize: sizeLimit, sizeCalculation: (value) => Math.max(1, sizeOf(value)) });
  const readings = new Map<string, Promise<T>>();
  const readAtMs = new Map<string, number>();

  async function readNow(key: string, day: string, before: Place | undefined): Promise<T> {
    const startedMs = now();
    const value = await read(day, before);
    known.set(key, value);
    readAtMs.set(key, startedMs);
    for (const each of readAtMs.keys()) if (!known.has(each)) readAtMs.delete(each);
    return value;
  }

  return (day, before) => {
    const key = before === undefined ? day : `${day} ${before.at} ${before.id}`;
    const value = known.get(key);
    if (value !== undefined && now() - (readAtMs.get(key) ?? 0) < freshMs(day, now())) return Promise.resolve(value);
    const reading = readings.get(key) ?? readNow(key, day, before).finally(() => readings.delete(key));
    readings.set(key, reading);
    return reading;
  };
}

/** Around midnight, clocks of workers may still be on the day before. */
function freshMs(day: string, nowMs: number): number {
  return Date.parse(`${day}T00:00:00.000Z`) > nowMs - 2 * DAY_MS ? TODAY_MS : EARLIER_MS;
}
