import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from './record-format.ts';
import { hostKey } from './record-keys.ts';
import { hostRecord } from './record-schemas.ts';

/** What a host says of itself every few seconds. */
export interface HostRecord {
  readonly version: 1;
  readonly hostId: string;
  /** ISO 8601, by the host's own clock. */
  readonly at: string;
  readonly slots: { readonly total: number; readonly used: number };
  /** Takes no more claims. */
  readonly draining: boolean;
}

/** One record for each host: `hosts/<id>.json`. */
export interface HostRecords {
  read(hostId: string): Promise<HostRecord | undefined>;
  write(record: HostRecord): Promise<void>;
  remove(hostId: string): Promise<void>;
}

const format = recordFormat<HostRecord>(hostRecord, 1);

export function createHostRecords(store: ObjectStore): HostRecords {
  return {
    async read(hostId) {
      const key = hostKey(hostId);
      const found = await store.get(key);
      return found && format.decode(key, found.body);
    },
    async write(record) {
      // Written again within seconds: not worth an fsync.
      await store.put(hostKey(record.hostId), format.encode(record), { synced: false });
    },
    remove: (hostId) => store.delete(hostKey(hostId)),
  };
}
