/** The queue of claims, as a host serves it. */
import { CLAIM_QUEUE, type ClaimActivities } from '@nereid/contracts';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { WorkerOptions } from '@temporalio/worker';
import { createClaimPermits } from './claim-permits.ts';
import type { Slots } from './slots.ts';

/** One that is served while the other one polls: a claim takes milliseconds. */
const CLAIM_POLLS = 2;

/** What a host that drains, or has no slot, cannot serve goes back to Temporal's queue at once, for another host to take. */
const CLAIM_WAIT_MS = 0;

export function createClaimActivities(slots: Slots, hostId: string): ClaimActivities {
  return {
    async claimHost(deploymentId) {
      await takeSlot(slots, deploymentId, CLAIM_WAIT_MS);
      return { hostId };
    },
  };
}

export function claimQueue(slots: Slots, activities: ClaimActivities) {
  // The SDK wants them all; no other kind of task comes to this queue.
  const none = { type: 'fixed-size', numSlots: 1 } as const;
  return {
    taskQueue: CLAIM_QUEUE,
    activities,
    maxConcurrentActivityTaskPolls: CLAIM_POLLS,
    tuner: {
      activityTaskSlotSupplier: createClaimPermits(slots),
      workflowTaskSlotSupplier: none,
      localActivityTaskSlotSupplier: none,
      nexusTaskSlotSupplier: none,
    },
  } satisfies Partial<WorkerOptions>;
}

/** Throws, retryably, when the host drains or no slot becomes free in time: nothing is wrong with either. */
export async function takeSlot(slots: Slots, deploymentId: string, waitMs: number): Promise<void> {
  if (await slots.take(deploymentId, waitMs)) return;
  const { total, used, draining } = slots.usage();
  throw ApplicationFailure.create({
    message: draining ? 'the host is draining' : `${used} of ${total} slots are in use`,
    type: 'HOST_DECLINED',
    category: ApplicationFailureCategory.BENIGN,
  });
}
