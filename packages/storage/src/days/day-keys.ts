/** Where the entries of days are kept: `<prefix>/2026/11/22/<time>-<id>.json`, and packed `<prefix>-packed/2026-11-22.jsonl`. */
import { createHash } from 'node:crypto';
import { InvalidKeyError } from '../errors.ts';

/** Sorts by time. */
export function entryKey(prefix: string, at: string, id: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) throw new InvalidKeyError(at, 'it is no time');
  return `${entriesPrefix(prefix, dayOf(time))}${timeInKey(time)}-${idInKey(id)}.json`;
}

export function entriesPrefix(prefix: string, day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new InvalidKeyError(day, 'it is not a day like 2026-11-22');
  return `${prefix}/${day.replaceAll('-', '/')}/`;
}

/** ISO 8601: when the entry happened whose key ends in this name; undefined for a name that no entry has. */
export function timeOfName(name: string): string | undefined {
  const { date, time, ms } = /^(?<date>\d{8})T(?<time>\d{6})(?<ms>\d{3})Z-/.exec(name)?.groups ?? {};
  if (!date || !time || !ms) return undefined;
  return `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}.${ms}Z`;
}

/** The day of an entry's key; undefined when the key does not belong to an entry. */
export function dayOfKey(prefix: string, key: string): string | undefined {
  if (!key.startsWith(`${prefix}/`)) return undefined;
  return /^(\d{4}\/\d{2}\/\d{2})\/[^/]+$/.exec(key.slice(prefix.length + 1))?.[1]?.replaceAll('/', '-');
}

/** Comes after all keys of the day and before those of the next: no key contains `~`. */
export function endOfDay(prefix: string, day: string): string {
  return `${entriesPrefix(prefix, day)}~`;
}

export function packedKey(prefix: string, day: string): string {
  entriesPrefix(prefix, day);
  return `${packedPrefix(prefix)}${day}.jsonl`;
}

export function packedPrefix(prefix: string): string {
  return `${prefix}-packed/`;
}

/** The inverse of `packedKey`; undefined when the key does not belong to a packed day. */
export function dayOfPacked(prefix: string, key: string): string | undefined {
  if (!key.startsWith(packedPrefix(prefix))) return undefined;
  return /^(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(key.slice(packedPrefix(prefix).length))?.[1];
}

/** Leaves room for the time in the 255 characters of a name. */
const PLAIN_LIMIT = 100;

/** An id that is no part of a key is shortened to one, and its hash tells it from others. */
function idInKey(id: string): string {
  const plain = id.replaceAll(/[^A-Za-z0-9._@=-]/g, '_').slice(0, PLAIN_LIMIT);
  if (plain === id) return plain;
  return `${plain}-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}

/** `2026-11-21`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** `20261121T050526123Z`. */
export function timeInKey(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
