/** How a host of a pool does something that is no deployment: it takes a slot for it, and if it is lost, another host tries. */
import { ActivityFailure, ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { ClaimActivities } from '@nereid/domain/activities';
import type { ForceUnlockHostActivities, Order, WaveCheckHostActivities } from '@nereid/domain/deployment';
import { poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, hostQueue } from '@nereid/domain/temporal-names';
import { isClaim } from './answers.ts';

/** It goes before plans, like an apply: somebody waits. */
const CLAIM = {
  startToCloseTimeout: '10s',
  // The order dies after ten minutes.
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
  priority: { priorityKey: 2 },
} as const;

/** As for a plan: a host that is gone is noticed, and another one is asked. */
const ON_HOST = {
  scheduleToStartTimeout: '1m',
  startToCloseTimeout: '15m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
} as const;

const HOSTS_LIMIT = 3;

interface Summaries {
  readonly claim: string;
  readonly work: string;
}

/** `unheard`: no host said what came of it. Then it may have been done. Throws for what a newer worker, or somebody else, started. */
export async function onSomeHost<Done>(
  order: Signed<Order>,
  summaries: Summaries,
  does: (host: ForceUnlockHostActivities & WaveCheckHostActivities) => Promise<Done>,
): Promise<Done | 'unheard'> {
  const { id, root } = knownOrder(order.body);
  const taskQueue = claimQueue(poolOf(root));
  const { claimHost } = proxyActivities<ClaimActivities>({ ...CLAIM, taskQueue, summary: summaries.claim });
  for (let host = 1; host <= HOSTS_LIMIT; host += 1) {
    try {
      const claim = await claimHost(id);
      if (!isClaim(claim)) continue;
      const own = { taskQueue: hostQueue(claim.body.hostId), summary: summaries.work };
      return await does(proxyActivities<ForceUnlockHostActivities & WaveCheckHostActivities>({ ...ON_HOST, ...own }));
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      if (error.cause instanceof ApplicationFailure && error.cause.nonRetryable) break;
    }
  }
  return 'unheard';
}

function knownOrder(body: Partial<Order> | undefined): Pick<Order, 'id' | 'root'> {
  const { version, id, root } = body ?? {};
  if (version === 1 && id !== undefined && root !== undefined) return { id, root };
  const message = `expected a version that this worker knows, found ${version}; upgrade the control workers`;
  throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_ORDER');
}
