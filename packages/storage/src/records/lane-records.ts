import { laneRecord } from '@nereid/domain/lane/record';
import type { LaneRecord } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { laneKey, LANES_PREFIX, parseLaneKey } from './record-keys.ts';

/** The records of lanes as they stand, one for each: `lanes/<owner>/<repo>/<root>.json`. */
export interface LaneRecords {
  /** Undefined when this root was never deployed. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): Promise<VersionedLane | undefined>;
  /**
   * Replaces exactly the version that was read (null: there was none) and returns the new version. Throws
   * `RecordConflictError` with the stored record when another writer came in between: no record is overwritten unread.
   */
  write(record: LaneRecord, ifVersion: string | null): Promise<string>;
  /** All lanes that have a record. */
  list(): AsyncIterable<StampedLane>;
}

export interface LaneName {
  readonly owner: string;
  readonly name: string;
  readonly rootName: string;
}

/** `stamp` is opaque, and changes whenever the record does. */
export interface StampedLane extends LaneName {
  readonly stamp: string;
}

export interface VersionedLane {
  readonly record: LaneRecord;
  readonly version: string;
}

/** Another writer changed the record since it was read. */
export class RecordConflictError extends Error {
  override readonly name = 'RecordConflictError';
  readonly code = 'RECORD_CONFLICT';
  readonly key: string;
  /** What is stored; undefined when the record was removed. */
  readonly stored: VersionedLane | undefined;

  constructor(key: string, stored: VersionedLane | undefined, options: ErrorOptions) {
    const found = stored === undefined ? 'nothing' : `the record of run ${stored.record.writer.runId}`;
    super(`${key} holds ${found} instead of the version read before: merge what is stored and write again`, options);
    this.key = key;
    this.stored = stored;
  }
}

/** The workflow of a lane has its record in memory, and writes it again and again. */
const REMEDY = 'terminate its workflow, which continues from the stored record';

const format = recordFormat<LaneRecord>(laneRecord, 1, REMEDY);

export function createLaneRecords(store: ObjectStore): LaneRecords {
  async function read(key: string): Promise<VersionedLane | undefined> {
    const found = await store.get(key);
    return found && { record: format.decode(key, found.body), version: found.version };
  }

  return {
    read: (repository, rootName) => read(laneKey(repository, rootName)),

    async *list() {
      for await (const { key, stamp } of store.listStamped(LANES_PREFIX)) {
        const name = parseLaneKey(key);
        if (name !== undefined) yield { ...name, stamp };
      }
    },

    async write(record, ifVersion) {
      const key = laneKey(record.repository, record.rootName);
      try {
        return await store.put(key, format.encode(key, record), { ifVersion: ifVersion ?? ABSENT });
      } catch (cause) {
        if (!(cause instanceof VersionConflictError)) throw cause;
        const stored = await read(key);
        // When the records are equal, our write succeeded and only its response was lost.
        if (stored !== undefined && isSame(stored.record, record)) return stored.version;
        throw new RecordConflictError(key, stored, { cause });
      }
    },
  };
}

/** Compares whole records: a task whose worker was lost is repeated, and may write another record with the same sequence. */
function isSame(stored: LaneRecord, record: LaneRecord): boolean {
  return Buffer.from(format.serialize(stored)).equals(format.serialize(record));
}
