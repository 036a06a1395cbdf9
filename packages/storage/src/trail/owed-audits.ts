import { owedAudit, type OwedAudit } from '@nereid/domain/trail/record';
import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { TRAIL } from './audit-trail.ts';

/** `audit/owed/<request>.json`: below `audit/`, where control alone writes, and after the days of the trail. */
export interface OwedAudits {
  /** Replaces the one of the same request. */
  keep(owed: OwedAudit): Promise<void>;
  /** A missing one is no failure. */
  remove(requestId: string): Promise<void>;
  list(onUnreadable: OnUnreadable): Promise<readonly OwedAudit[]>;
}

const PREFIX = `${TRAIL}/owed/`;

const keyOf = (requestId: string) => `${PREFIX}${requestId}.json`;

const format = recordFormat<OwedAudit>(owedAudit, 1);

export function createOwedAudits(store: ObjectStore): OwedAudits {
  const read = async (key: string) => {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  };

  return {
    async keep(owed) {
      const key = keyOf(owed.requestId);
      await store.put(key, format.encode(key, owed));
    },
    remove: (requestId) => store.delete(keyOf(requestId)),
    list: (onUnreadable) => listReadable(store, PREFIX, read, onUnreadable),
  };
}
