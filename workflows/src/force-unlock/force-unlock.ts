/** The force-unlock workflow: has a host free a lock of a state, as a person commanded, and answers the comment. */
import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { ClaimActivities } from '@nereid/domain/activities';
import type {
  ForceUnlockActivities,
  ForceUnlockHostActivities,
  ForceUnlockOrder,
  ForceUnlockOutcome,
} from '@nereid/domain/deployment';
import { poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, hostQueue } from '@nereid/domain/temporal-names';
import { isClaim } from '../answers.ts';

/** A person waits, as for an apply: it goes before plans. */
const CLAIM = {
  startToCloseTimeout: '10s',
  // The order dies after ten minutes.
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
  priority: { priorityKey: 2 },
  summary: 'a slot to free a lock',
} as const satisfies ActivityOptions;

/** As for a plan: a host that is gone is noticed, and another one is asked. */
const ON_HOST = {
  scheduleToStartTimeout: '1m',
  startToCloseTimeout: '15m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
  summary: 'prepare, free the lock',
} as const satisfies ActivityOptions;

/** The forge and the audit trail may be away for a while. */
const { answerForceUnlock } = proxyActivities<ForceUnlockActivities>({
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '1d',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'tell the person and the audit trail',
});

/** A lock has its id for itself: however often it is tried, only this one is freed. */
const HOSTS_LIMIT = 3;

/** Returns a sentence that says what came of it. */
export async function forceUnlock(order: Signed<ForceUnlockOrder>): Promise<string> {
  assertKnown(order.body);
  return answerForceUnlock(order, await freed(order));
}

/** A newer worker may already be running, or somebody else has started this. */
function assertKnown(body: Partial<Pick<ForceUnlockOrder, 'version'>> | undefined): void {
  if (body?.version === 1) return;
  const message = `expected a version that this worker knows, found ${body?.version}; upgrade the control workers`;
  throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_FORCE_UNLOCK');
}

async function freed(order: Signed<ForceUnlockOrder>): Promise<ForceUnlockOutcome> {
  const taskQueue = claimQueue(poolOf(order.body.root));
  const { claimHost } = proxyActivities<ClaimActivities>({ ...CLAIM, taskQueue });
  for (let host = 1; host <= HOSTS_LIMIT; host += 1) {
    try {
      const claim = await claimHost(order.body.id);
      if (!isClaim(claim)) continue;
      const { forceUnlockOnHost } = proxyActivities<ForceUnlockHostActivities>({
        ...ON_HOST,
        taskQueue: hostQueue(claim.body.hostId),
      });
      return await forceUnlockOnHost(order);
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      if (error.cause instanceof ApplicationFailure && error.cause.nonRetryable) break;
    }
  }
  return 'unheard';
}
