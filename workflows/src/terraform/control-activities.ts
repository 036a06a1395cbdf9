/** How a deployment calls the activities of control. */
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Deployment, Go, Presentation, TerraformDurations } from '@nereid/domain/deployment';
import type {
  Beginning,
  Ended,
  Finish,
  RefusedReview,
  TerraformActivities,
  Unapplied,
} from '@nereid/domain/deployment-actor';
import type { WaitExplained } from '@nereid/domain/host';
import type { Plan, ReviewedPlan } from '@nereid/domain/plan';
import { poolOf, type Repository, type Root } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { CONTROL_QUEUE } from '@nereid/domain/temporal-names';
import { readAtWork } from '../answers.ts';
import { priorityOf } from '../priority.ts';

const onControl = { taskQueue: CONTROL_QUEUE, startToCloseTimeout: '30s' } as const;

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

/** Whether the host has written its record within the last minute. Throws where storage does not say. */
export function isHostThere(hostId: string, isPatient: boolean): Promise<boolean> {
  const activities = proxyActivities<TerraformActivities>({
    ...onControl,
    ...(isPatient
      ? { retry: { maximumAttempts: 5, initialInterval: '1s' }, summary: 'whether the host is heard of' }
      : {
          ...{ startToCloseTimeout: '5s', retry: { maximumAttempts: 1 } },
          summary: 'whether the host that planned is still there',
        }),
  });
  return activities.isHostAlive(hostId);
}

/**
 * Asks for permission to apply, which also records the start. Nobody stops it: a start that was stored, and that this workflow does
 * not know of, would never get its end. In a merge of hundreds of roots, it goes before the admission of those that are not planned
 * yet: the first ones are applied while the others wait.
 */
export function begin(
  beginning: Beginning,
  { auditMs, promptMs }: TerraformDurations,
  isOneAttempt: boolean,
): Promise<Signed<Go>> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    priority: priorityOf('apply', beginning.repository),
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

/** A person waits to be asked. */
export function verifyPlan(repository: Repository, deployment: Deployment, plan: Plan): Promise<void> {
  return proxyActivities<TerraformActivities>({
    ...onControl,
    priority: priorityOf('apply', repository),
    scheduleToCloseTimeout: '10m',
    retry: { initialInterval: '200ms', maximumInterval: '20s' },
    summary: 'whether a host signed the plan',
  }).verifyPlan(deployment, plan);
}

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
