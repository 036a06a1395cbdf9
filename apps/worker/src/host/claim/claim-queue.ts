/** How a host serves the two queues of claims. */
import type { ClaimActivities } from '@nereid/domain/activities';
import { claimQueue, previewClaimQueue } from '@nereid/domain/temporal-names';
import type { WorkerOptions } from '@temporalio/worker';
import { createClaimPermits } from './claim-permits.ts';
import type { Signatures } from '../../platform/keys/signatures.ts';
import { slotDeclined } from '../slots/slot-declined.ts';
import type { SlotUse } from '../slots/slot-usage.ts';
import type { Slots } from '../slots/slots.ts';

/** One poll serves a claim while the other one waits: a claim takes milliseconds. */
const CLAIM_POLLS = 2;

export interface ClaimingHost {
  readonly hostId: string;
  readonly slots: Pick<Slots, 'claim' | 'usage'>;
  readonly signatures: Pick<Signatures, 'enclose'>;
}

/** A claim that comes while a host drains or has no slot goes back to Temporal's queue at once, for another host to take. */
export function createClaimActivities({ hostId, slots, signatures }: ClaimingHost, use: SlotUse): ClaimActivities {
  return {
    async claimHost(deploymentId) {
      if (!slots.claim(deploymentId, use)) throw slotDeclined(slots);
      return signatures.enclose('claim/host', { version: 1, deploymentId, hostId });
    },
  };
}

export interface ClaimQueueOptions {
  readonly pool: string;
  readonly slots: Slots;
  readonly activities: ClaimActivities;
  readonly use: SlotUse;
}

export function claimWorker({ pool, slots, activities, use }: ClaimQueueOptions) {
  // The SDK requires all suppliers; no other kind of task comes to this queue.
  const none = { type: 'fixed-size', numSlots: 1 } as const;
  return {
    taskQueue: (use === 'preview' ? previewClaimQueue : claimQueue)(pool),
    activities,
    maxConcurrentActivityTaskPolls: CLAIM_POLLS,
    tuner: {
      activityTaskSlotSupplier: createClaimPermits(slots, use),
      workflowTaskSlotSupplier: none,
      localActivityTaskSlotSupplier: none,
      nexusTaskSlotSupplier: none,
    },
  } satisfies Partial<WorkerOptions>;
}
