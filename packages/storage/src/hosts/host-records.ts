import { hostRecord, type HostRecord } from '@nereid/domain/host/record';
import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { hostKey, HOSTS_PREFIX } from './host-keys.ts';

/** One record for each host: `hosts/<id>.json`. */
export interface HostRecords {
  read(hostId: string): Promise<HostRecord | undefined>;
  write(record: HostRecord): Promise<void>;
  remove(hostId: string): Promise<void>;
  /** Those of all hosts that did not remove theirs, however old they are. What cannot be read is left out, and told to `onUnreadable`. */
  list(onUnreadable: OnUnreadable): Promise<readonly HostRecord[]>;
}

const format = recordFormat<HostRecord>(hostRecord, 1);

export function createHostRecords(store: ObjectStore): HostRecords {
  const read = async (key: string) => {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  };

  return {
    read: (hostId) => read(hostKey(hostId)),
    list: (onUnreadable) => listReadable(store, HOSTS_PREFIX, read, onUnreadable),
    async write(record) {
      const key = hostKey(record.hostId);
      // Written again within seconds: not worth an fsync.
      await store.put(key, format.encode(key, record), { synced: false });
    },
    remove: (hostId) => store.delete(hostKey(hostId)),
  };
}
