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
  proxyLocalActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import {
  CLAIM_QUEUE,
  CONTROL_QUEUE,
  createTurns,
  hostQueue,
  WORKER_LOST,
  type AuditEvent,
  type JobAuditEvent,
  type ClaimActivities,
  type HostActivities,
  type TerraformActivities,
  type TerraformDurations,
} from '@nereid/contracts';
import { SLOWEST_LOOK } from './durations.ts';

/** Within a workflow task, whose time is 10 s. */
const QUICK_MS = 3_000;

const quickly = proxyLocalActivities<TerraformActivities>({
  startToCloseTimeout: QUICK_MS,
  scheduleToCloseTimeout: QUICK_MS,
  retry: { maximumAttempts: 1 },
});

/** Each execution of a workflow has its own. */
const inTurn = createTurns();

/** Asked until a host answers, or for `withinMs`. */
export function claims(durations: TerraformDurations, withinMs?: number): ClaimActivities {
  return proxyActivities<ClaimActivities>({
    taskQueue: CLAIM_QUEUE,
    startToCloseTimeout: durations.claimMs,
    ...(withinMs !== undefined && { scheduleToCloseTimeout: withinMs }),
    retry: { initialInterval: '200ms', maximumInterval: '30s' },
  });
}

/** On a host's disk: one attempt, which beats, and whose end is waited for also when it is cancelled. */
function onHost(
  hostId: string,
  { heartbeatMs }: TerraformDurations,
  times: { readonly scheduleToStartTimeout: number; readonly startToCloseTimeout: number },
): HostActivities {
  return proxyActivities<HostActivities>({
    ...times,
    taskQueue: hostQueue(hostId),
    heartbeatTimeout: heartbeatMs,
    retry: { maximumAttempts: 1 },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}

/** Planning: stopped by any cancellation; where it fails, the workflow claims another host. */
export function planningOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'planOnHost'> {
  const { hostScheduleToStartMs, planMs } = durations;
  return onHost(hostId, durations, { scheduleToStartTimeout: hostScheduleToStartMs, startToCloseTimeout: planMs });
}

/** Applying: one attempt, ever. */
export function applyingOn(
  hostId: string,
  scheduleToStartMs: number,
  durations: TerraformDurations,
): Pick<HostActivities, 'applyOnHost'> {
  const { applyMs } = durations;
  return onHost(hostId, durations, { scheduleToStartTimeout: scheduleToStartMs, startToCloseTimeout: applyMs });
}

/** Of an apply whose worker was lost. The host's own queue: who comes back on its disk answers. */
export function inspectingOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'inspectApply'> {
  const { comeBackMs, applyMs } = durations;
  return onHost(hostId, durations, { scheduleToStartTimeout: comeBackMs, startToCloseTimeout: applyMs });
}

/**
 * Why no host takes what waits for one; answers when that is not what is shown already. An attempt that finds nothing new
 * fails, and the server tries again: that leaves nothing in the history.
 */
export async function whyNoHost(shown: string | null, { claimRefreshMs }: TerraformDurations): Promise<string> {
  const activities = proxyActivities<TerraformActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '30s',
    retry: {
      initialInterval: claimRefreshMs,
      backoffCoefficient: 1.5,
      maximumInterval: claimRefreshMs * SLOWEST_LOOK,
    },
  });
  return activities.whyNoHost(shown);
}

/** Whether the host has written its record within the last minute. False, too, where storage does not say. */
export async function isHostAlive(hostId: string): Promise<boolean> {
  const activities = proxyActivities<TerraformActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '30s',
    retry: { maximumAttempts: 5, initialInterval: '1s' },
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
  try {
    return !(await inTurn(() => quickly.isHostAlive(hostId)));
  } catch (error) {
    if (isCancellation(error)) throw error;
    return false;
  }
}

export function cleaningOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'cleanUpHost'> {
  return proxyActivities<HostActivities>({
    taskQueue: hostQueue(hostId),
    scheduleToStartTimeout: durations.sameHostMs,
    // The lane hears of the end after it; what is left then is the janitor's.
    scheduleToCloseTimeout: durations.cleanUpMs,
    startToCloseTimeout: durations.cleanUpMs,
    retry: { maximumAttempts: 3 },
  });
}

/**
 * Before an apply: within five minutes, or nothing is applied. Not cancellable: a start that was stored and not known of
 * here would never get its end. `onWait` is told when it does not work at once.
 */
export async function recordStart(
  event: JobAuditEvent,
  durations: TerraformDurations,
  onWait: (why: string) => void,
): Promise<void> {
  const durably = proxyActivities<TerraformActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: durations.auditMs,
    retry: { maximumAttempts: 10, initialInterval: '1s', maximumInterval: '1m' },
  });
  await CancellationScope.nonCancellable(() =>
    inTurn(() => quickly.recordAudit(event)).catch((error: unknown) => {
      onWait(whyUnwritten(error));
      return durably.recordAudit(event);
    }),
  );
}

/** After an apply, or a press: until it is stored. */
export async function recordUntilStored(event: AuditEvent): Promise<void> {
  const durably = proxyActivities<TerraformActivities>({
    taskQueue: CONTROL_QUEUE,
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });
  await inTurn(() => quickly.recordAudit(event)).catch(() => durably.recordAudit(event));
}

const forAnHour = proxyActivities<TerraformActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** One event of history; the workflow's own signal to another one takes five, and finds no lane that has ended. */
export async function signalLane(...args: Parameters<TerraformActivities['signalLane']>): Promise<void> {
  await inTurn(() => quickly.signalLane(...args)).catch(() => forAnHour.signalLane(...args));
}

export async function deleteKeptPlan(deploymentId: string): Promise<void> {
  await inTurn(() => quickly.deleteKeptPlan(deploymentId)).catch(() => forAnHour.deleteKeptPlan(deploymentId));
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
