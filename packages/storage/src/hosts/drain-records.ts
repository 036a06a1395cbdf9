/** Whether operators want a host to drain: `drains/<host id>.json`, the last request of an operator. */
import { drainRecord, type DrainRecord } from '@nereid/domain/host/record';
import { BrokenRecordError } from '../errors.ts';
import { changeObject } from '../objects/change-object.ts';
import type { ObjectStore, StoredObject } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { drainKey, DRAINS_PREFIX } from './host-keys.ts';

export interface DrainRecords {
  /** Undefined when no operator ever asked for anything. */
  read(hostId: string): Promise<DrainRecord | undefined>;
  /** Stores the request, unless one that was made later is stored already. Returns the one that holds. */
  ask(record: DrainRecord): Promise<DrainRecord>;
  remove(hostId: string): Promise<void>;
  /** Records that cannot be read are left out, and told to `onUnreadable`. */
  list(onUnreadable: OnUnreadable): Promise<readonly DrainRecord[]>;
}

/** As many operators at once are more than a company has. */
const ATTEMPTS = 10;

const format = recordFormat<DrainRecord>(drainRecord, 1);

export function createDrainRecords(store: ObjectStore): DrainRecords {
  const read = async (key: string) => {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  };

  return {
    read: (hostId) => read(drainKey(hostId)),
    async ask(record) {
      const key = drainKey(record.hostId);
      return changeObject<DrainRecord>(store, key, { attempts: ATTEMPTS }, (found) => {
        const last = found && decodedUnlessBroken(key, found);
        if (last !== undefined && isLater(last, record)) return { body: undefined, result: last };
        return { body: format.encode(key, record), result: record };
      });
    },
    remove: (hostId) => store.delete(drainKey(hostId)),
    list: (onUnreadable) => listReadable(store, DRAINS_PREFIX, read, onUnreadable),
  };
}

function isLater(one: DrainRecord, other: DrainRecord): boolean {
  return Date.parse(one.at) > Date.parse(other.at);
}

/** What nobody can read is replaced, so that operators can mend it. */
function decodedUnlessBroken(key: string, { body }: StoredObject): DrainRecord | undefined {
  try {
    return format.decode(key, body);
  } catch (error) {
    if (error instanceof BrokenRecordError) return undefined;
    throw error;
  }
}
