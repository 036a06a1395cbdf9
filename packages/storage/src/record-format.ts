import { z } from 'zod';
import { BrokenRecordError, isUnreadableRecord, UnknownRecordVersionError, UnstorableRecordError } from './errors.ts';

/** How one kind of record is stored: JSON with a `version`, readable for operators. */
export interface RecordFormat<T> {
  /** Throws `UnstorableRecordError` instead of returning what `decode` would refuse. */
  encode(key: string, record: T): Uint8Array;
  /** The same bytes, unchecked, of a record that is only compared or digested. */
  serialize(record: T): Uint8Array;
  /** Throws `BrokenRecordError` and `UnknownRecordVersionError`, both with the key. */
  decode(key: string, body: Uint8Array): T;
}

/** What writes most records makes them anew each time. */
const NOTHING_TO_DO = 'what is stored stays as it is';

const versioned = z.looseObject({ version: z.int().positive() });

/**
 * `schema` checks the parts that readers depend on; parts that it does not name are kept as they are. `newest` is the
 * highest version that this release writes and reads. `remedy` is what an operator can do about a record that was not written.
 */
export function recordFormat<T>(schema: z.ZodType, newest: number, remedy = NOTHING_TO_DO): RecordFormat<T> {
  const serialize = (record: T) => Buffer.from(`${JSON.stringify(record, null, 1)}\n`);

  function decode(key: string, body: Uint8Array): T {
    const json = parse(key, body);
    const { version } = check(key, versioned, json);
    if (version > newest) throw new UnknownRecordVersionError(key, version, newest);
    check(key, schema, json);
    return json as T; // Written by `encode` and checked; the schema covers part of T.
  }

  /** What is right before it becomes JSON is right afterwards, and costs no parsing. */
  function isReadable(record: T): boolean {
    const { success, data } = versioned.safeParse(record);
    return success && data.version <= newest && schema.safeParse(record).success;
  }

  function encode(key: string, record: T): Uint8Array {
    const body = serialize(record);
    if (isReadable(record)) return body;
    try {
      decode(key, body);
    } catch (error) {
      throw isUnreadableRecord(error) ? new UnstorableRecordError(key, remedy, error) : error;
    }
    return body;
  }

  return { encode, serialize, decode };
}

function parse(key: string, body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new BrokenRecordError(key, `its ${body.length} bytes are not JSON, perhaps cut off`, { cause });
  }
}

function check<S extends z.ZodType>(key: string, schema: S, json: unknown): z.output<S> {
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  throw new BrokenRecordError(key, z.prettifyError(checked.error).replaceAll(/\s*\n\s*/g, ' '), {
    cause: checked.error,
  });
}
