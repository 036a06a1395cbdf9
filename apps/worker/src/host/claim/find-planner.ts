/** Which host plans for a workflow: Temporal knows it of the activity that is under way. */
import type { PlanActivities } from '@nereid/domain/activities';
import { isUuid, type WaitExplained } from '@nereid/domain/host';
import type { Client } from '@temporalio/client';

type PendingActivity = Pick<
  NonNullable<DescribedWorkflow['raw']['pendingActivities']>[number],
  'activityType' | 'lastWorkerIdentity' | 'lastStartedTime' | 'lastHeartbeatTime' | 'heartbeatDetails'
> & { readonly state?: number | null };

type DescribedWorkflow = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>;

/** The activity that asks tries again. */
const DESCRIBE_MS = 4_000;

/** Of `PendingActivityState`: it waits, for the first time or again. */
const SCHEDULED = 1;

const PLANNING: keyof PlanActivities = 'claimAndPlan';

/**
 * Undefined while no host has taken the plan. Anybody can take it under any name, so this is for words, and for the queue that is
 * told to stop.
 */
export async function findPlanner(
  temporal: Pick<Client, 'workflow' | 'withDeadline'>,
  workflowId: string,
): Promise<WaitExplained | undefined> {
  const workflow = temporal.workflow.getHandle(workflowId);
  const { raw } = await temporal.withDeadline(Date.now() + DESCRIBE_MS, () => workflow.describe());
  return plannerIn(raw.pendingActivities ?? []);
}

/**
 * A host that declines sends no heartbeat, and one that took a slot sends one at once. Temporal keeps the details of an earlier
 * attempt.
 */
export function plannerIn(activities: readonly PendingActivity[]): WaitExplained | undefined {
  const planning = activities.find(({ activityType }) => activityType?.name === PLANNING);
  const { state, lastWorkerIdentity: hostId, lastStartedTime, lastHeartbeatTime, heartbeatDetails } = planning ?? {};
  if (hostId == null || !isUuid(hostId) || state === SCHEDULED || !heartbeatDetails?.payloads?.length) return undefined;
  const [startedAt, heardAt] = [secondsOf(lastStartedTime), secondsOf(lastHeartbeatTime)];
  return heardAt < startedAt
    ? undefined
    : { kind: 'at work', hostId, since: new Date(Math.floor(startedAt) * 1_000).toISOString() };
}

function secondsOf(time: PendingActivity['lastStartedTime']): number {
  return Number(time?.seconds ?? 0) + (time?.nanos ?? 0) / 1e9;
}
