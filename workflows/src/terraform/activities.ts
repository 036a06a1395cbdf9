/**
 * How a deployment calls its activities: what touches a disk on that host's own queue, the rest on the control workers.
 */
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import {
  CLAIM_QUEUE,
  CONTROL_QUEUE,
  hostQueue,
  WORKER_LOST,
  fullName,
  type AuditEvent,
  type ClaimActivities,
  type Finish,
  type HostActivities,
  type Presentation,
  type Repository,
  type TerraformActivities,
  type TerraformDurations,
} from '@nereid/contracts';
import { SLOWEST_LOOK } from './durations.ts';

const onControl = { taskQueue: CONTROL_QUEUE, startToCloseTimeout: '30s' } as const;

/** A person has waited for an apply already: it goes before the plans of others. */
const CLAIM_PRIORITY = { apply: 2, plan: 3 } as const;

/** Temporal's limit for a fairness key. */
const FAIRNESS_KEY_BYTES = 64;

/** Asked until a host answers. A merge of hundreds of roots does not hold up another repository, where the server is fair. */
export function claims(
  { claimMs }: TerraformDurations,
  repository: Repository,
  job: 'plan' | 'apply',
): ClaimActivities {
  return proxyActivities<ClaimActivities>({
    taskQueue: CLAIM_QUEUE,
    startToCloseTimeout: claimMs,
    retry: { initialInterval: '200ms', maximumInterval: '30s' },
    priority: { priorityKey: CLAIM_PRIORITY[job], fairnessKey: fullName(repository).slice(0, FAIRNESS_KEY_BYTES) },
    summary: `a slot to ${job}`,
  });
}

/** On a host's disk: one attempt, which beats, and whose end is waited for also when it is cancelled. */
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

/** Planning: stopped by any cancellation; where it fails, the workflow claims another host. */
export function planningOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'planOnHost'> {
  const { hostScheduleToStartMs, planMs } = durations;
  return onHost(hostId, durations, {
    scheduleToStartTimeout: hostScheduleToStartMs,
    startToCloseTimeout: planMs,
    summary: 'prepare, plan, keep the plan',
  });
}

/** Applying: one attempt, ever. */
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

/** Of an apply whose worker was lost. The host's own queue: who comes back on its disk answers. */
export function inspectingOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'inspectApply'> {
  const { comeBackMs, applyMs } = durations;
  return onHost(hostId, durations, {
    scheduleToStartTimeout: comeBackMs,
    startToCloseTimeout: applyMs,
    summary: 'what became of the apply',
  });
}

/**
 * Why no host takes what waits for one; answers when that is not what is shown already. An attempt that finds nothing new
 * fails, and the server tries again: that leaves nothing in the history.
 */
export async function whyNoHost(shown: string | null, { claimRefreshMs }: TerraformDurations): Promise<string> {
  const activities = proxyActivities<TerraformActivities>({
    ...onControl,
    retry: {
      initialInterval: claimRefreshMs,
      backoffCoefficient: 1.5,
      maximumInterval: claimRefreshMs * SLOWEST_LOOK,
    },
    summary: 'why no host has a free slot',
  });
  return activities.whyNoHost(shown);
}

/** Whether the host has written its record within the last minute. False, too, where storage does not say. */
export async function isHostAlive(hostId: string): Promise<boolean> {
  const activities = proxyActivities<TerraformActivities>({
    ...onControl,
    retry: { maximumAttempts: 5, initialInterval: '1s' },
    summary: 'whether the host is heard of',
  });
  try {
    return await activities.isHostAlive(hostId);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}

/** Whether the host said goodbye, or has been silent for a minute. Where storage does not say so at once, it may be there. */
export async function hasLeft(hostId: string): Promise<boolean> {
  const once = proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '5s',
    retry: { maximumAttempts: 1 },
    summary: 'whether the host that planned is still there',
  });
  try {
    return !(await once.isHostAlive(hostId));
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}

export function cleaningOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'cleanUpHost'> {
  return proxyActivities<HostActivities>({
    taskQueue: hostQueue(hostId),
    scheduleToStartTimeout: durations.sameHostMs,
    // What is left then is the janitor's.
    scheduleToCloseTimeout: durations.cleanUpMs,
    startToCloseTimeout: durations.cleanUpMs,
    retry: { maximumAttempts: 3 },
    summary: 'remove the working tree',
  });
}

/**
 * Before an apply: within five minutes, or nothing is applied. Not cancellable: a start that was stored and not known of
 * here would never get its end.
 */
export async function recordStart(events: readonly AuditEvent[], { auditMs }: TerraformDurations): Promise<void> {
  const durably = proxyActivities<TerraformActivities>({
    ...onControl,
    scheduleToCloseTimeout: auditMs,
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: 10, initialInterval: '1s', maximumInterval: '1m' },
    summary: 'the audit trail hears of the apply before it begins',
  });
  await CancellationScope.nonCancellable(() => durably.recordAudits(events));
}

/** Beats: a worker that is lost is noticed by this. */
const HEARTBEAT = '20s';

export const { recordAudits } = proxyActivities<TerraformActivities>({
  ...onControl,
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'the audit trail hears of a review',
});

/** Tried until its lane is told. */
export const { endDeployment } = proxyActivities<TerraformActivities>({
  ...onControl,
  startToCloseTimeout: '2m',
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '20s' },
  summary: 'tell the lane and GitHub, and store it',
});

/** A person waits for none of it: a store or a topic that is away for long holds up nothing else. */
export function finishDeployment(finish: Finish): Promise<void> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '2m',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '1m' },
    summary: 'record, audit trail, kept plan',
  }).finishDeployment(finish);
}

/**
 * Tried by the server until GitHub takes it, without an event of history. What was begun is waited for when something newer is
 * to be shown: it must not come after that.
 */
export function showCheckRun(repository: Repository, presentation: Presentation) {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '1m',
    // So that what is newest by then is rendered.
    scheduleToCloseTimeout: '1h',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '20s' },
    summary: 'tell GitHub',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  }).showCheckRun(repository, presentation);
}

/** Nothing was applied: nobody took it from the host's queue, or the host declined it. */
export function didNotStart(error: unknown): boolean {
  if (wasNotTaken(error)) return true;
  if (!(error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)) return false;
  return error.cause.type === 'HOST_DECLINED';
}

/** Nobody took it from the host's queue in time. */
export function wasNotTaken(error: unknown): boolean {
  if (!(error instanceof ActivityFailure && error.cause instanceof TimeoutFailure)) return false;
  return error.cause.timeoutType === TimeoutType.SCHEDULE_TO_START;
}

/** What a write that failed said, for people: no host is concerned. */
export function whyUnwritten(error: unknown): string {
  if (!(error instanceof ActivityFailure && error.cause instanceof TimeoutFailure)) return causeOf(error);
  const last = error.cause.cause;
  return last instanceof ApplicationFailure ? last.message.slice(0, 300) : 'no answer came in time';
}

/** What a failed activity said, for people. */
export function causeOf(error: unknown): string {
  if (!(error instanceof ActivityFailure)) return error instanceof Error ? error.message : String(error);
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    return cause.timeoutType === TimeoutType.SCHEDULE_TO_START ? 'the host did not answer' : 'the host was lost';
  }
  return (cause?.message ?? error.message).slice(0, 300);
}

/** The host did not answer, fell silent, or came back and said that it was lost. */
export function isHostLost(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  return cause instanceof TimeoutFailure || (cause instanceof ApplicationFailure && cause.type === WORKER_LOST);
}

export function isRetryable(error: unknown): boolean {
  return error instanceof ActivityFailure && !(error.cause instanceof ApplicationFailure && error.cause.nonRetryable);
}
