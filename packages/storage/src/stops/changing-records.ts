/** Records of one kind that several people change at once. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isUnreadableRecord, VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
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

  async function read(key: string, onUnreadable?: OnUnreadable) {
    const found = await store.get(key);
    const body = found === undefined ? empty : decode(key, found.body, onUnreadable);
    return { body, version: found?.version ?? ABSENT };
  }

  function decode(key: string, bytes: Uint8Array, onUnreadable?: OnUnreadable): Body {
    try {
      const { version: _ofFormat, ...body } = format.decode(key, bytes);
      return { ...empty, ...body };
    } catch (error) {
      if (onUnreadable === undefined || !isUnreadableRecord(error)) throw error;
      onUnreadable(error);
      return empty;
    }
  }

  const write = (key: string, body: Body, ifVersion: string) =>
    store.put(key, format.encode(key, { version: 1, ...body }), { ifVersion });

  return {
    read: async (key) => (await read(key)).body,
    async change(key, change, onUnreadable) {
      for (let attempt = 1; ; attempt += 1) {
        const { body, version } = await read(key, onUnreadable);
        try {
          await write(key, change(body), version);
          return;
        } catch (error) {
          if (!(error instanceof VersionConflictError) || attempt === ATTEMPTS) throw error;
        }
      }
    },
    async changeOnce(key, change) {
      const { body, version } = await read(key);
      const changed = change(body);
      if (isDeepStrictEqual(changed, body)) return;
      try {
        await write(key, changed, version);
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
      }
    },
  };
}
