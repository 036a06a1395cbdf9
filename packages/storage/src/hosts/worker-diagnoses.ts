import { BrokenRecordError } from '../errors.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { diagnosisKey, DIAGNOSES_PREFIX } from '../records/record-keys.ts';
import { workerDiagnosis } from '../records/record-schemas.ts';

/** What a worker's own checks found, some minutes ago at most. For operators only: it names buckets and machines. */
export interface WorkerDiagnosis {
  readonly version: 1;
  /** Of the worker, also of one that is no host. */
  readonly hostId: string;
  readonly roles: readonly string[];
  /** When the checks ended, ISO 8601, by the worker's own clock. */
  readonly at: string;
  readonly tookMs: number;
  /** A hundred at most. */
  readonly examined: readonly {
    readonly name: string;
    readonly outcome: 'ok' | 'warn' | 'fail' | 'skip';
    readonly found: string;
    readonly remedy?: string;
  }[];
}

/** One for each worker that runs: `diagnoses/<id>.json`. */
export interface WorkerDiagnoses {
  write(diagnosis: WorkerDiagnosis): Promise<void>;
  remove(hostId: string): Promise<void>;
  /** Those of all workers that did not remove theirs, however old they are. */
  list(onUnreadable: OnUnreadable): Promise<readonly WorkerDiagnosis[]>;
}

const format = recordFormat<WorkerDiagnosis>(workerDiagnosis, 1);

export function createWorkerDiagnoses(store: ObjectStore): WorkerDiagnoses {
  const read = async (key: string) => {
    const found = await store.get(key);
    const diagnosis = found && format.decode(key, found.body);
    // Another host could have it removed, or say something of it.
    if (diagnosis && diagnosisKey(diagnosis.hostId) !== key)
      throw new BrokenRecordError(key, 'it is about another worker than its name says');
    return diagnosis;
  };

  return {
    list: (onUnreadable) => listReadable(store, DIAGNOSES_PREFIX, read, onUnreadable),
    async write(diagnosis) {
      // Written again within minutes: not worth an fsync.
      await store.put(diagnosisKey(diagnosis.hostId), format.encode(diagnosis), { synced: false });
    },
    remove: (hostId) => store.delete(diagnosisKey(hostId)),
  };
}
