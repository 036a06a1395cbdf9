/** How a host of a pool does something that is no deployment: it takes a slot for it, and if it is lost, another host tries. */
import { ActivityFailure, ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { ClaimActivities } from '@nereid/domain/activities';
import type { ForceUnlockHostActivities, Order, WaveCheckHostActivities } from '@nereid/domain/deployment';
import { poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, hostQueue } from '@nereid/domain/temporal-names';
import { isClaim } from './answers.ts';
import { priorityOf } from './priority.ts';

const CLAIM = {
  startToCloseTimeout: '10s',
  // The order dies a few minutes later.
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
} as const;

/** As for a plan: a host that is gone is noticed, and another one is asked. */
const ON_HOST = {
  scheduleToStartTimeout: '1m',
  startToCloseTimeout: '15m',
  heartbeatTimeout: '1m',
  retry: { maximumAttempts: 1 },
} as const;

const HOSTS_LIMIT = 3;

interface OnSomeHost {
  readonly job: Parameters<typeof priorityOf>[0];
  readonly claimSummary: string;
  readonly workSummary: string;
}

/**
 * `unheard`: no host said what came of it. Then it may have been done. `no slot`: no host took it, so it was not.
 * Throws for what a newer worker, or somebody else, started.
 */
export async function onSomeHost<Done>(
  order: Signed<Order>,
  { job, claimSummary, workSummary }: OnSomeHost,
  does: (host: ForceUnlockHostActivities & WaveCheckHostActivities) => Promise<Done>,
): Promise<Done | 'unheard' | 'no slot'> {
  const { id, root, repository } = knownOrder(order.body);
  const queue = { taskQueue: claimQueue(poolOf(root)), priority: priorityOf(job, repository) };
  const { claimHost } = proxyActivities<ClaimActivities>({ ...CLAIM, ...queue, summary: claimSummary });
  for (let host = 1; host <= HOSTS_LIMIT; host += 1) {
    try {
      const claim = await claimHost(id);
      if (!isClaim(claim)) continue;
      const own = { taskQueue: hostQueue(claim.body.hostId), summary: workSummary };
      return await does(proxyActivities<ForceUnlockHostActivities & WaveCheckHostActivities>({ ...ON_HOST, ...own }));
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      if (error.activityType === 'claimHost') return host === 1 ? 'no slot' : 'unheard';
      if (error.cause instanceof ApplicationFailure && error.cause.nonRetryable) break;
    }
  }
  return 'unheard';
}

function knownOrder(body: Partial<Order> | undefined): Pick<Order, 'id' | 'root' | 'repository'> {
  const { version, id, root, repository } = body ?? {};
  if (version === 1 && id !== undefined && root !== undefined && repository !== undefined)
    return { id, root, repository };
  const message = `expected a version that this worker knows, found ${version}; upgrade the control workers`;
  throw ApplicationFailure.nonRetryable(message, 'UNKNOWN_ORDER');
}
