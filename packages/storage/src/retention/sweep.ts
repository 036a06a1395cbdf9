/** What sweeps have in common: each call removes a bounded number of objects, and says where the next one goes on. */
import pMap from 'p-map';
import { StorageUnavailableError } from '../errors.ts';
import type { ObjectStore, StampedKey } from '../objects/object-store.ts';

export interface Sweep {
  /** What was written later stays. Milliseconds. */
  readonly beforeMs: number;
  /** Where the call before stopped. */
  readonly after?: string;
  /** Told of each log, record or object that could not be removed. Must not throw. */
  readonly onFailure: (error: unknown) => void;
  readonly signal?: AbortSignal;
}

export interface Swept {
  /** How many logs, records or other objects are gone. */
  readonly removed: number;
  /** How many could not be removed; they hold up no others. */
  readonly failed: number;
  /** Where to go on; absent when nothing is left. */
  readonly next?: string;
}

/** Of one call. A bucket removes so many in a minute or two. */
export const REMOVED_LIMIT = 2_000;

/** Of one call: fifty pages of a bucket's listing. */
const LOOKED_LIMIT = 50_000;

/** After so many of its failures, the store is away. */
const UNAVAILABLE_LIMIT = 10;

/** Far below what one prefix of a bucket takes in a second. */
export const AT_ONCE = 16;

/** The work of one call. */
export interface Tally {
  looked(): void;
  removed(): void;
  /** A failure is counted, and thrown only where the store is away, or nobody wants the sweep any more. */
  attempt(work: () => Promise<unknown>): Promise<void>;
  isFull(): boolean;
  swept(next?: string): Swept;
}

export function createTally({ onFailure, signal }: Pick<Sweep, 'onFailure' | 'signal'>): Tally {
  let [looked, removed, failed, unavailable] = [0, 0, 0, 0];
  return {
    looked() {
      signal?.throwIfAborted();
      looked += 1;
    },

    removed() {
      removed += 1;
    },

    async attempt(work) {
      try {
        await work();
      } catch (error) {
        if (signal?.aborted) throw error;
        failed += 1;
        onFailure(error);
        if (error instanceof StorageUnavailableError) unavailable += 1;
        if (unavailable >= UNAVAILABLE_LIMIT) throw error;
      }
    },

    isFull: () => removed >= REMOVED_LIMIT || looked >= LOOKED_LIMIT,
    swept: (next) => ({ removed, failed, ...(next !== undefined && { next }) }),
  };
}

/** Both the key and the store have to say that it is old: one of the two clocks may have been wrong. */
export function isOld({ writtenMs }: StampedKey, beforeMs: number, keyMs = -Infinity): boolean {
  return writtenMs < beforeMs && keyMs < beforeMs;
}

/** Removes as many as can be removed, and then throws the first failure. */
export async function removeKeys(store: ObjectStore, keys: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  const remove = async (key: string) => {
    try {
      await store.delete(key);
    } catch (error) {
      failures.push(error);
    }
  };
  await pMap(keys, remove, { concurrency: AT_ONCE });
  if (failures.length > 0) throw failures[0];
}

/** Comes after all keys that begin with this prefix, and before the next ones: no key contains `~`. */
export function endOf(prefix: string): string {
  return `${prefix}~`;
}
