import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from './record-format.ts';
import { hostKey } from './record-keys.ts';
import { hostRecord } from './record-schemas.ts';

/** A host as it says it stands, every 15 s. One that is older than a minute says nothing any more. */
export interface HostRecord {
  readonly version: 1;
  readonly hostId: string;
  /** When it was written, ISO 8601. */
  readonly at: string;
  readonly slots: { readonly total: number; readonly used: number };
  /** Nereid's release that the host runs. */
  readonly release: string;
  /** It takes no new deployments. */
  readonly draining: boolean;
}

export interface HostRecords {
  write(record: HostRecord): Promise<void>;
  read(hostId: string): Promise<HostRecord | undefined>;
  /** All hosts that ever wrote and did not say goodbye, by id. */
  list(): AsyncIterable<HostRecord>;
  remove(hostId: string): Promise<void>;
}

const format = recordFormat<HostRecord>(hostRecord, 1);

export function createHostRecords(store: ObjectStore): HostRecords {
  async function readAt(key: string): Promise<HostRecord | undefined> {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  }

  return {
    async write(record) {
      // The next one comes in 15 s: not worth two fsyncs.
      await store.put(hostKey(record.hostId), format.encode(record), { synced: false });
    },
    read: (hostId) => readAt(hostKey(hostId)),
    async *list() {
      for await (const key of store.list('hosts/')) {
        const record = await readAt(key);
        if (record !== undefined) yield record;
      }
    },
    remove: (hostId) => store.delete(hostKey(hostId)),
  };
}
