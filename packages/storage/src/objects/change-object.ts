import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore, type StoredObject } from './object-store.ts';

export interface ObjectChange<Result> {
  /** What replaces the object; undefined: nothing is written. */
  readonly body: Uint8Array | undefined;
  readonly result: Result;
}

interface ChangeOptions {
  /** So often another writer may be quicker. */
  readonly attempts: number;
  /** Between two attempts. */
  readonly pause?: (attempt: number) => Promise<unknown>;
}

/**
 * Replaces an object by what `change` makes of the newest one, and may be asked for several times. Throws `VersionConflictError` when other
 * writers were quicker each time.
 */
export async function changeObject<Result>(
  store: Pick<ObjectStore, 'get' | 'put'>,
  key: string,
  { attempts, pause }: ChangeOptions,
  change: (found: StoredObject | undefined) => ObjectChange<Result> | Promise<ObjectChange<Result>>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await store.get(key);
    const { body, result } = await change(found);
    if (body === undefined) return result;
    try {
      await store.put(key, body, { ifVersion: found?.version ?? ABSENT });
      return result;
    } catch (error) {
      if (!(error instanceof VersionConflictError) || attempt === attempts) throw error;
      await pause?.(attempt);
    }
  }
}
