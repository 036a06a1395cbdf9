/** Records of one kind that several people change at once. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isUnreadableRecord, VersionConflictError } from '../errors.ts';
import { changeObject } from '../objects/change-object.ts';
import type { ObjectStore, StoredObject } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import type { OnUnreadable } from '../records/list-readable.ts';

interface ChangingRecords<Stored> {
  /** Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(key: string): Promise<Stored>;
  /** `change` may be asked several times. With `onUnreadable`, a record that cannot be read is replaced as if it were empty. */
  change(key: string, change: (found: Stored) => Stored, onUnreadable?: OnUnreadable): Promise<void>;
  /** The same once, unless somebody else changes the record at this moment, or there is nothing to change. */
  changeOnce(key: string, change: (found: Stored) => Stored): Promise<void>;
}

/** As many people at once are more than a company has. */
const ATTEMPTS = 10;

export function createChangingRecords<Body extends object>(
  store: ObjectStore,
  schema: z.ZodType,
  empty: Body,
): ChangingRecords<Body> {
  const format = recordFormat<Body & { readonly version: 1 }>(schema, 1);

  function bodyOf(key: string, found: StoredObject | undefined, onUnreadable?: OnUnreadable): Body {
    if (found === undefined) return empty;
    try {
      const { version: _ofFormat, ...body } = format.decode(key, found.body);
      return { ...empty, ...body };
    } catch (error) {
      if (onUnreadable === undefined || !isUnreadableRecord(error)) throw error;
      onUnreadable(error);
      return empty;
    }
  }

  const encoded = (key: string, body: Body) => format.encode(key, { version: 1, ...body });

  return {
    read: async (key) => bodyOf(key, await store.get(key)),
    async change(key, change, onUnreadable) {
      await changeObject(store, key, { attempts: ATTEMPTS }, (found) => ({
        body: encoded(key, change(bodyOf(key, found, onUnreadable))),
        result: undefined,
      }));
    },
    async changeOnce(key, change) {
      try {
        await changeObject(store, key, { attempts: 1 }, (found) => {
          const body = bodyOf(key, found);
          const changed = change(body);
          return { body: isDeepStrictEqual(changed, body) ? undefined : encoded(key, changed), result: undefined };
        });
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
      }
    },
  };
}
