import { takenDelivery, type TakenDelivery } from '@nereid/domain/intake/record';
import { BrokenRecordError, VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { TAKEN_PREFIX, takenKey, type WebhookBody } from './record-keys.ts';
import { dayOf } from '../days/day-keys.ts';

/** Marks of webhooks that were taken, so that nobody has the same body taken again as another delivery. */
export interface TakenDeliveries {
  /** Marks the body as taken by this delivery, unless another one took it before. Returns the one that took it. */
  markTaken(body: WebhookBody, delivery: string): Promise<string>;
  /** The delivery that took the body; undefined when none did. */
  takerOf(body: WebhookBody): Promise<string | undefined>;
  /** Removes marks of webhooks that happened on earlier days, the oldest first, at most `FORGET_LIMIT`. */
  forget(before: Date): Promise<void>;
}

/** Two to ten seconds of a bucket's time. What is left is the next caller's. */
const FORGET_LIMIT = 300;

const format = recordFormat<TakenDelivery>(takenDelivery, 1);

export function createTakenDeliveries(store: ObjectStore): TakenDeliveries {
  const takerOf: TakenDeliveries['takerOf'] = async (body) => {
    const key = takenKey(body);
    const found = await store.get(key);
    return found && format.decode(key, found.body).delivery;
  };

  return {
    takerOf,

    async markTaken(body, delivery) {
      const key = takenKey(body);
      try {
        // A power cut may lose the mark: then the body can be taken once more, as if nobody had kept marks.
        await store.put(key, format.encode(key, { version: 1, delivery }), { ifVersion: ABSENT, synced: false });
        return delivery;
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        const taker = await takerOf(body);
        if (taker === undefined) throw new BrokenRecordError(key, 'it went while it was read', { cause: error });
        return taker;
      }
    },

    async forget(before) {
      for await (const key of store.list(TAKEN_PREFIX, { limit: FORGET_LIMIT })) {
        if (key >= `${TAKEN_PREFIX}${dayOf(before)}`) return;
        await store.delete(key);
      }
    },
  };
}
