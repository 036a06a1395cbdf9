import type { TrailEvent } from '@nereid/domain/trail';
import { z } from 'zod';
import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { recordFormat } from '../record-format.ts';
import { trailEntry } from './audit-trail.ts';

/** An event that the audit trail may not have yet, although what it tells was done, or was about to be. */
export interface OwedAudit {
  readonly version: 1;
  /** A name for files. */
  readonly requestId: string;
  /** When it was kept, ISO 8601. */
  readonly at: string;
  readonly event: TrailEvent;
}

/** `audit/owed/<request>.json`: below `audit/`, where control alone writes, and after the days of the trail. */
export interface OwedAudits {
  /** Replaces the one of the same request. */
  keep(owed: OwedAudit): Promise<void>;
  /** A missing one is no failure. */
  remove(requestId: string): Promise<void>;
  list(onUnreadable: OnUnreadable): Promise<readonly OwedAudit[]>;
}

const PREFIX = 'audit/owed/';

const keyOf = (requestId: string) => `${PREFIX}${requestId}.json`;

const schema = z.looseObject({ requestId: z.string().min(1), at: z.iso.datetime(), event: trailEntry });

const format = recordFormat<OwedAudit>(schema, 1);

export function createOwedAudits(store: ObjectStore): OwedAudits {
  const read = async (key: string) => {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  };

  return {
    async keep(owed) {
      await store.put(keyOf(owed.requestId), format.encode(owed));
    },
    remove: (requestId) => store.delete(keyOf(requestId)),
    list: (onUnreadable) => listReadable(store, PREFIX, read, onUnreadable),
  };
}
