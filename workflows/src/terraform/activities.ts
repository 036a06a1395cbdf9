/**
 * How a deployment calls its activities: those that touch a disk on that host's own queue, the others on the control workers.
 */
import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  log,
  proxyActivities,
} from '@temporalio/workflow';
import type { ClaimActivities, HostActivities } from '@nereid/domain/activities';
import type {
  Deployment,
  Go,
  HostJob,
  PlannedOnHost,
  Presentation,
  TerraformDurations,
  TerraformInput,
} from '@nereid/domain/deployment';
import type {
  Beginning,
  Ended,
  Finish,
  RefusedReview,
  TerraformActivities,
  Unapplied,
} from '@nereid/domain/deployment-actor';
import { DECLINED_CLAIM_MS, type Claim, type WaitExplained } from '@nereid/domain/host';
import type { ReviewedPlan } from '@nereid/domain/plan';
import { poolOf, fairnessKey, type Repository, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { claimQueue, CONTROL_QUEUE, hostQueue, previewClaimQueue, WORKER_LOST } from '@nereid/domain/temporal-names';
import { readAtWork } from '../answers.ts';

const onControl = { taskQueue: CONTROL_QUEUE, startToCloseTimeout: '30s' } as const;

type Claiming = Pick<TerraformInput, 'repository' | 'deployment'>;

/** A person has already waited for an apply, so it goes before other plans. Previews take what is left. */
const CLAIM_PRIORITY = { apply: 2, deployment: 3, preview: 4 } as const;

/** Retried until a host takes it. If the server has fairness, a merge of hundreds of roots holds up no other repository. */
function claiming({ repository, deployment: { root } }: Claiming, job: keyof typeof CLAIM_PRIORITY) {
  return {
    taskQueue: (job === 'preview' ? previewClaimQueue : claimQueue)(poolOf(root)),
    priority: { priorityKey: CLAIM_PRIORITY[job], fairnessKey: fairnessKey(repository) },
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

/** Returns the reason why no host takes the waiting job, or which one plans. */
export function explainWait(root: Root): Promise<WaitExplained> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    retry: { initialInterval: '10s', maximumInterval: '1m' },
    summary: 'why no host has a free slot, or which one plans',
  }).explainWait(poolOf(root));
}

/** Returns the host that plans, for a person who waits for its end. */
export async function findPlanner(root: Root): Promise<string | undefined> {
  const found = await proxyActivities<TerraformActivities>({
    ...onControl,
    // By then, a heartbeat has brought the cancellation.
    ...{ scheduleToCloseTimeout: '15s', startToCloseTimeout: '5s' },
    retry: { initialInterval: '200ms' },
    summary: 'which host is to stop',
  }).explainWait(poolOf(root));
  return readAtWork(found)?.hostId;
}

/**
 * Whether the host has written its record within the last minute. Where storage does not say, a host about which was asked patiently
 * counts as gone, and any other as there.
 */
export async function isHostThere(hostId: string, isPatient: boolean): Promise<boolean> {
  const activities = proxyActivities<TerraformActivities>({
    ...onControl,
    ...(isPatient
      ? { retry: { maximumAttempts: 5, initialInterval: '1s' }, summary: 'whether the host is heard of' }
      : {
          ...{ startToCloseTimeout: '5s', retry: { maximumAttempts: 1 } },
          summary: 'whether the host that planned is still there',
        }),
  });
  try {
    return await activities.isHostAlive(hostId);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return !isPatient;
  }
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

/**
 * Asks for permission to apply, which also records the start. Nobody stops it: a start that was stored, and that this workflow does
 * not know of, would never get its end.
 */
export function begin(
  beginning: Beginning,
  { auditMs, promptMs }: TerraformDurations,
  isOneAttempt: boolean,
): Promise<Signed<Go>> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    scheduleToCloseTimeout: isOneAttempt ? promptMs : auditMs,
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: isOneAttempt ? 1 : 10, initialInterval: '1s', maximumInterval: '1m' },
    summary: 'permission to apply; the audit trail hears of it first',
  }).begin(beginning);
}

/** Whether the plan that was reviewed before the merge may be applied. Nobody waits long for that: it can be planned and asked again. */
export function findReviewedPlan(repository: Repository, deployment: Deployment): Promise<ReviewedPlan> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '1m',
    scheduleToCloseTimeout: '3m',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '20s' },
    summary: 'whether the review before the merge holds',
  }).findReviewedPlan(repository, deployment);
}

/** A lost worker is noticed within this time. */
const HEARTBEAT = '20s';

/**
 * Throws `FORGED` for a press that intake did not sign: anybody who reaches Temporal can send one, under any name. A person waits.
 * Not a local activity: a replay may get two of them in one go, and would not do the same again.
 */
export const { verifyPress } = proxyActivities<TerraformActivities>({
  ...onControl,
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '200ms', maximumInterval: '20s' },
  summary: 'whether intake signed a press',
});

export const { verifyPlan } = proxyActivities<TerraformActivities>({
  ...onControl,
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', maximumInterval: '20s' },
  summary: 'whether a host signed the plan',
});

export function recordAside(aside: RefusedReview | Unapplied): Promise<void> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary: `the audit trail hears ${'review' in aside ? 'of a review' : 'that an apply never began'}`,
  }).recordAside(aside);
}

/** Retried until the lane is told. */
export const { endDeployment } = proxyActivities<TerraformActivities>({
  ...onControl,
  startToCloseTimeout: '2m',
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '20s' },
  summary: 'tell the lane and the forge, and store it',
});

/** Nobody waits for this: a store or a topic that is away for long holds up nothing else. */
export function recordEnd(finish: Finish): Promise<Ended> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '2m',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary: 'record, audit trail, kept plan',
  }).endDeployment({ ...finish, isTold: true });
}

/**
 * The server retries it until the forge takes it, without an event of history. When something newer is to be shown, the workflow
 * waits for a write that has begun: it must not arrive later.
 */
export function showCheckRun(repository: Repository, presentation: Presentation) {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '1m',
    // After that, the newest state is rendered again.
    scheduleToCloseTimeout: '1h',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '20s' },
    summary: 'tell the forge',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  }).showCheckRun(repository, presentation);
}
