import { workerDiagnosis, type WorkerDiagnosis } from '@nereid/domain/host/record';
import { BrokenRecordError } from '../errors.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { diagnosisKey, DIAGNOSES_PREFIX } from './host-keys.ts';

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
      const key = diagnosisKey(diagnosis.hostId);
      // Written again within minutes: not worth an fsync.
      await store.put(key, format.encode(key, diagnosis), { synced: false });
    },
    remove: (hostId) => store.delete(diagnosisKey(hostId)),
  };
}
