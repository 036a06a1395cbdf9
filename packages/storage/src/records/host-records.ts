import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from './record-format.ts';
import { hostKey, HOSTS_PREFIX } from './record-keys.ts';
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
  /** Of all hosts that there ever were and nobody removed. */
  list(): Promise<readonly HostRecord[]>;
  write(record: HostRecord): Promise<void>;
  remove(hostId: string): Promise<void>;
}

const format = recordFormat<HostRecord>(hostRecord, 1);

export function createHostRecords(store: ObjectStore): HostRecords {
  async function readKey(key: string): Promise<HostRecord | undefined> {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  }

  return {
    read: (hostId) => readKey(hostKey(hostId)),
    async list() {
      const records: HostRecord[] = [];
      for await (const key of store.list(HOSTS_PREFIX)) {
        const record = await readKey(key);
        if (record) records.push(record);
      }
      return records;
    },
    async write(record) {
      // Written again within seconds: not worth an fsync.
      await store.put(hostKey(record.hostId), format.encode(record), { synced: false });
    },
    remove: (hostId) => store.delete(hostKey(hostId)),
  };
}
