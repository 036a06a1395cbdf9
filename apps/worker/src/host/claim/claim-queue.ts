/** How a host serves the two queues of claims. */
import { CLAIM_QUEUE, PREVIEW_CLAIM_QUEUE, type ClaimActivities } from '@nereid/contracts';
import type { WorkerOptions } from '@temporalio/worker';
import { createClaimPermits } from './claim-permits.ts';
import { slotDeclined } from './slot-declined.ts';
import type { Slots, SlotUse } from './slots.ts';

/** One poll serves a claim while the other one waits: a claim takes milliseconds. */
const CLAIM_POLLS = 2;

/** A claim that comes while a host drains or has no slot goes back to Temporal's queue at once, for another host to take. */
export function createClaimActivities(
  slots: Pick<Slots, 'claim' | 'usage'>,
  hostId: string,
  use: SlotUse,
): ClaimActivities {
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- an activity is asynchronous
    async claimHost(deploymentId) {
      if (!slots.claim(deploymentId, use)) throw slotDeclined(slots, use);
      return { hostId };
    },
  };
}

export function claimQueue(slots: Slots, activities: ClaimActivities, use: SlotUse) {
  // The SDK requires all suppliers; no other kind of task comes to this queue.
  const none = { type: 'fixed-size', numSlots: 1 } as const;
  return {
    taskQueue: use === 'preview' ? PREVIEW_CLAIM_QUEUE : CLAIM_QUEUE,
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
