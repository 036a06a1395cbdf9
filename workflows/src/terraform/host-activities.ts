/** How a deployment calls the activities of hosts: those that touch a disk, on that host's own queue, and claims on the queue of all. */
import { ActivityCancellationType, CancellationScope, log, proxyActivities } from '@temporalio/workflow';
import type { ClaimActivities, HostActivities } from '@nereid/domain/activities';
import type { HostJob, PlannedOnHost, TerraformDurations, TerraformInput } from '@nereid/domain/deployment';
import { DECLINED_CLAIM_MS, type Claim } from '@nereid/domain/host';
import { poolOf } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, hostQueue, previewClaimQueue, WORKER_LOST } from '@nereid/domain/temporal-names';
import { priorityOf } from '../priority.ts';

type Claiming = Pick<TerraformInput, 'repository' | 'deployment'>;

/** Retried until a host takes it. */
function claiming({ repository, deployment: { root } }: Claiming, job: Parameters<typeof priorityOf>[0]) {
  return {
    taskQueue: (job === 'preview' ? previewClaimQueue : claimQueue)(poolOf(root)),
    priority: priorityOf(job, repository),
    retry: { initialInterval: DECLINED_CLAIM_MS, maximumInterval: '30s' },
  } as const;
}

export function claim({ claimMs }: TerraformDurations, input: Claiming): Promise<Signed<Claim>> {
  const options = { ...claiming(input, 'apply'), startToCloseTimeout: claimMs, summary: 'a slot to apply' };
  return proxyActivities<ClaimActivities>(options).claimHost(input.deployment.id);
}

/**
 * The failures of a lost host. The server would give the same job to another host. The workflow opens a new job instead, so that each
 * attempt is counted and shown, and has a log of its own.
 */
const LOST = ['TemporalTimeout:Heartbeat', 'TemporalTimeout:StartToClose', 'WorkerShutdown', WORKER_LOST] as const;

/**
 * The plan is offered until a host takes it, however long that takes. From then on, its time runs and nothing is retried. Even if it is
 * cancelled, the workflow waits for the end of a plan that a host has taken.
 */
export function claimAndPlan(
  { planMs, heartbeatMs }: TerraformDurations,
  input: Claiming,
  plans: 'deployment' | 'preview',
  job: HostJob,
): Promise<PlannedOnHost> {
  const { retry, ...options } = claiming(input, plans);
  return proxyActivities<ClaimActivities>({
    ...options,
    startToCloseTimeout: planMs,
    heartbeatTimeout: heartbeatMs,
    retry: { ...retry, nonRetryableErrorTypes: [...LOST] },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: 'a slot; prepare, plan, keep the plan',
  }).claimAndPlan(job);
}

/** On a host's disk: one attempt, with heartbeats. Even if it is cancelled, the workflow waits for its end. */
function onHost(
  hostId: string,
  { heartbeatMs }: TerraformDurations,
  options: { readonly scheduleToStartTimeout: number; readonly startToCloseTimeout: number; readonly summary: string },
): HostActivities {
  return proxyActivities<HostActivities>({
    ...options,
    taskQueue: hostQueue(hostId),
    heartbeatTimeout: heartbeatMs,
    retry: { maximumAttempts: 1 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}

/**
 * Tells the host as well when the work on it is cancelled: the activity hears of that only with its next heartbeat, if the host is not
 * told. `findHost` returns undefined when no host has taken the work: the server offers cancelled work to no host. `begin` begins the
 * work.
 */
export async function stoppable<T>(
  findHost: () => Promise<string | undefined>,
  deploymentId: string,
  begin: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  const tellHost = async () => {
    const hostId = await findHost();
    if (hostId === undefined) return;
    const { stopOnHost } = proxyActivities<HostActivities>({
      taskQueue: hostQueue(hostId),
      // By then, a heartbeat has brought it.
      scheduleToCloseTimeout: '15s',
      startToCloseTimeout: '5s',
      summary: 'stop at once',
    });
    await stopOnHost(deploymentId);
  };
  CancellationScope.current().cancelRequested.catch(async () => {
    if (isOver) return;
    await CancellationScope.nonCancellable(tellHost).catch((error: unknown) => {
      log.warn('a host was not told that its work is cancelled, and hears of it with a heartbeat', { error });
    });
  });
  try {
    return await begin();
  } finally {
    isOver = true;
  }
}

/** For applying: one attempt, ever. */
export function applyingOn(
  hostId: string,
  scheduleToStartMs: number,
  durations: TerraformDurations,
): Pick<HostActivities, 'applyOnHost'> {
  const { applyMs } = durations;
  return onHost(hostId, durations, {
    scheduleToStartTimeout: scheduleToStartMs,
    startToCloseTimeout: applyMs,
    summary: 'apply exactly that plan',
  });
}

/** For an apply whose worker was lost. On the host's own queue: the worker that comes back on its disk answers. */
export function inspectingOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'inspectApply'> {
  const { comeBackMs, applyMs } = durations;
  return onHost(hostId, durations, {
    scheduleToStartTimeout: comeBackMs,
    startToCloseTimeout: applyMs,
    summary: 'what became of the apply',
  });
}

export function cleaningOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'cleanUpHost'> {
  return proxyActivities<HostActivities>({
    taskQueue: hostQueue(hostId),
    scheduleToStartTimeout: durations.sameHostMs,
    // After that, the janitor removes the rest.
    scheduleToCloseTimeout: durations.cleanUpMs,
    startToCloseTimeout: durations.cleanUpMs,
    retry: { maximumAttempts: 3 },
    summary: 'remove the working tree',
  });
}
