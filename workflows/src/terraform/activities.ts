/**
 * How a deployment calls its activities: those that touch a disk on that host's own queue, the others on the control workers.
 */
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
  proxyActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import {
  claimQueue,
  CONTROL_QUEUE,
  DECLINED_CLAIM_MS,
  hostQueue,
  poolOf,
  previewClaimQueue,
  SLOT_NEEDED,
  WORKER_LOST,
  fairnessKey,
  type Beginning,
  PAYLOAD_KEY_MISSING,
  type ClaimActivities,
  type Deployment,
  type Finish,
  type Go,
  type HostActivities,
  type Plan,
  type PlanReview,
  type PolicyOverride,
  type Presentation,
  type Repository,
  type ReviewedPlan,
  type Root,
  type Signed,
  type TerraformActivities,
  type TerraformDurations,
} from '@nereid/contracts';
import { withoutMentions } from '@nereid/lane';

const onControl = { taskQueue: CONTROL_QUEUE, startToCloseTimeout: '30s' } as const;

/** A person has already waited for an apply, so it goes before other plans. Previews take what is left. */
const CLAIM_PRIORITY = { apply: 2, plan: 3, preview: 4 } as const;

export type ClaimedFor = keyof typeof CLAIM_PRIORITY;

/** Retried until a host answers. If the server has fairness, a merge of hundreds of roots holds up no other repository. */
export function claims(
  { claimMs }: TerraformDurations,
  { repository, root }: { readonly repository: Repository; readonly root: Root },
  job: ClaimedFor,
): ClaimActivities {
  return proxyActivities<ClaimActivities>({
    taskQueue: (job === 'preview' ? previewClaimQueue : claimQueue)(poolOf(root)),
    startToCloseTimeout: claimMs,
    retry: { initialInterval: DECLINED_CLAIM_MS, maximumInterval: '30s' },
    priority: { priorityKey: CLAIM_PRIORITY[job], fairnessKey: fairnessKey(repository) },
    summary: `a slot to ${job === 'preview' ? 'plan' : job}`,
  });
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

/** For planning. Any cancellation stops it. If it fails, the workflow claims another host. */
export function planningOn(hostId: string, durations: TerraformDurations): Pick<HostActivities, 'planOnHost'> {
  const { hostScheduleToStartMs, planMs } = durations;
  return onHost(hostId, durations, {
    scheduleToStartTimeout: hostScheduleToStartMs,
    startToCloseTimeout: planMs,
    summary: 'prepare, plan, keep the plan',
  });
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

/** Returns the reason why no host takes the waiting job. */
export function whyNoHost(root: Root): Promise<string> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    retry: { initialInterval: '10s', maximumInterval: '1m' },
    summary: 'why no host has a free slot',
  }).whyNoHost(poolOf(root));
}

/** Whether the host has written its record within the last minute. Also false when storage does not say. */
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

/** Whether the host said goodbye, or has been silent for a minute. False when storage does not say so at once. */
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
    // After that, the janitor removes the rest.
    scheduleToCloseTimeout: durations.cleanUpMs,
    startToCloseTimeout: durations.cleanUpMs,
    retry: { maximumAttempts: 3 },
    summary: 'remove the working tree',
  });
}

export interface Insistence {
  readonly withinMs: number;
  readonly attempts: number;
}

/**
 * Asks for permission to apply, which also records the start. Not cancellable: a start that was stored, and that this workflow does
 * not know of, would never get its end.
 */
export async function begin(beginning: Beginning, { withinMs, attempts }: Insistence): Promise<Signed<Go>> {
  const durably = proxyActivities<TerraformActivities>({
    ...onControl,
    scheduleToCloseTimeout: withinMs,
    heartbeatTimeout: HEARTBEAT,
    retry: { maximumAttempts: attempts, initialInterval: '1s', maximumInterval: '1m' },
    summary: 'permission to apply; the audit trail hears of it first',
  });
  return CancellationScope.nonCancellable(() => durably.begin(beginning));
}

/** Whether the plan that was reviewed before the merge may be applied. Nobody waits long for that: it can be planned and asked anew. */
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

/** A person waits. Not a local activity: a replay may get two of them in one go, and would not do the same again. */
const { verifyReview, verifyOverride } = proxyActivities<TerraformActivities>({
  ...onControl,
  scheduleToCloseTimeout: '1h',
  retry: { initialInterval: '200ms', maximumInterval: '20s' },
  summary: 'whether intake signed a press',
});

const { verifyPlan } = proxyActivities<TerraformActivities>({
  ...onControl,
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '200ms', maximumInterval: '20s' },
  summary: 'whether a host signed the plan',
});

/**
 * Throws `FORGED` for a plan that no host signed: it is never shown, so nobody could answer. Where nobody can say so in time, the plan
 * goes on to its gate, which shows it once somebody can.
 */
export async function refuseForged(deployment: Deployment, plan: Plan): Promise<void> {
  try {
    await verifyPlan(deployment, plan);
  } catch (error) {
    if (isForged(error) || isCancellation(error)) throw error;
    log.warn('it is not known whether a host signed the plan', { reason: causeOf(error) });
  }
}

/** Whether intake signed the press: anybody who reaches Temporal can send one, under any name. */
export async function isSigned(press: PlanReview | PolicyOverride): Promise<boolean> {
  try {
    await ('answer' in press ? verifyReview(press) : verifyOverride(press));
    return true;
  } catch (error) {
    if (isForged(error)) return false;
    throw error;
  }
}

/** Whether a signature was missing or wrong. */
export function isForged(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === 'FORGED';
}

export const { recordRefusal } = proxyActivities<TerraformActivities>({
  ...onControl,
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'the audit trail hears of a review',
});

export const { recordUnapplied } = proxyActivities<TerraformActivities>({
  ...onControl,
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '1m' },
  summary: 'the audit trail hears that an apply never began',
});

/** Retried until the lane is told. */
export const { endDeployment } = proxyActivities<TerraformActivities>({
  ...onControl,
  startToCloseTimeout: '2m',
  heartbeatTimeout: HEARTBEAT,
  retry: { initialInterval: '1s', maximumInterval: '20s' },
  summary: 'tell the lane and GitHub, and store it',
});

/** Nobody waits for this: a store or a topic that is away for long holds up nothing else. */
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
 * The server retries it until GitHub takes it, without an event of history. When something newer is to be shown, the workflow
 * waits for a write that has begun: it must not arrive later.
 */
export function showCheckRun(repository: Repository, presentation: Presentation) {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    startToCloseTimeout: '1m',
    // After that, the newest state is rendered anew.
    scheduleToCloseTimeout: '1h',
    heartbeatTimeout: HEARTBEAT,
    retry: { initialInterval: '1s', maximumInterval: '20s' },
    summary: 'tell GitHub',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  }).showCheckRun(repository, presentation);
}

/** Whether nothing was applied, because nobody took the activity from the host's queue, or the host did not accept it. */
export function didNotStart(error: unknown): boolean {
  if (wasNotTaken(error)) return true;
  if (!(error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)) return false;
  return ['HOST_DECLINED', PAYLOAD_KEY_MISSING, 'FORGED', 'GO_EXPIRED'].includes(error.cause.type ?? '');
}

/** Whether nobody took the activity from the host's queue in time. */
export function wasNotTaken(error: unknown): boolean {
  if (!(error instanceof ActivityFailure && error.cause instanceof TimeoutFailure)) return false;
  return error.cause.timeoutType === TimeoutType.SCHEDULE_TO_START;
}

/** The reason why a write failed, for people. It blames no host, because a write needs none. */
export function whyUnwritten(error: unknown): string {
  if (!(error instanceof ActivityFailure && error.cause instanceof TimeoutFailure)) return causeOf(error);
  const last = error.cause.cause;
  return last instanceof ApplicationFailure ? withoutMentions(last.message.slice(0, 300)) : 'no answer came in time';
}

/** The reason why an activity failed, for people. */
export function causeOf(error: unknown): string {
  if (!(error instanceof ActivityFailure))
    return withoutMentions(error instanceof Error ? error.message : String(error));
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    return cause.timeoutType === TimeoutType.SCHEDULE_TO_START ? 'the host did not answer' : 'the host was lost';
  }
  return withoutMentions((cause?.message ?? error.message).slice(0, 300));
}

/** Whether the host did not answer, fell silent, or came back and said that it was lost. */
export function isHostLost(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  const { cause } = error;
  return cause instanceof TimeoutFailure || (cause instanceof ApplicationFailure && cause.type === WORKER_LOST);
}

/** Whether the host interrupted a preview because a deployment needed its slot. */
export function wasSlotNeeded(error: unknown): boolean {
  return (
    error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === SLOT_NEEDED
  );
}

export function isRetryable(error: unknown): boolean {
  return error instanceof ActivityFailure && !isRefusedForGood(error);
}

/** Whether the activity said that another attempt cannot help. */
export function isRefusedForGood(error: unknown): boolean {
  return (
    error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true
  );
}
