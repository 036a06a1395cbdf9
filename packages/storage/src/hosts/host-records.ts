import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { hostKey, HOSTS_PREFIX } from '../records/record-keys.ts';
import { hostRecord } from '../records/record-schemas.ts';

/** What a host reports about itself every few seconds. */
export interface HostRecord {
  readonly version: 1;
  readonly hostId: string;
  /** Absent for `default`. */
  readonly pool?: string;
  /** ISO 8601, by the host's own clock. */
  readonly at: string;
  readonly slots: SlotCount;
  /** Those of them that previews may keep, and hold. */
  readonly previews?: SlotCount;
  /** Of the file system of its data folder. */
  readonly disk?: { readonly freeBytes: number; readonly totalBytes: number };
  /** The deployments and previews that hold its slots, by id: a hundred at most. */
  readonly runs?: readonly string[];
  /** The host takes no more claims. */
  readonly draining: boolean;
  /** When its process began. ISO 8601, by the host's own clock. */
  readonly startedAt?: string;
  /** The release of the worker, like `1.2.3`. */
  readonly release?: string;
}

interface SlotCount {
  readonly total: number;
  readonly used: number;
}

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
      // Written again within seconds: not worth an fsync.
      await store.put(hostKey(record.hostId), format.encode(record), { synced: false });
    },
    remove: (hostId) => store.delete(hostKey(hostId)),
  };
}
