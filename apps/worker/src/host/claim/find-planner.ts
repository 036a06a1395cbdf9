/** Which host plans for a workflow: Temporal knows it of the activity that is under way. */
import type { ClaimActivities } from '@nereid/domain/activities';
import { isUuid, type WaitExplained } from '@nereid/domain/host';
import type { Client } from '@temporalio/client';

type PendingActivity = Pick<
  NonNullable<DescribedWorkflow['raw']['pendingActivities']>[number],
  'activityType' | 'lastWorkerIdentity' | 'lastStartedTime' | 'heartbeatDetails'
>;

type DescribedWorkflow = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>;

const PLANNING: keyof ClaimActivities = 'claimAndPlan';

/**
 * Undefined while no host has taken the plan. Anybody can take it under any name, so this is for words, and for the queue that is
 * told to stop.
 */
export async function findPlanner(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
): Promise<WaitExplained | undefined> {
  const { raw } = await workflow.getHandle(workflowId).describe();
  return plannerIn(raw.pendingActivities ?? []);
}

/** A host that declines sends no heartbeat, and one that took a slot sends one at once. */
export function plannerIn(activities: readonly PendingActivity[]): WaitExplained | undefined {
  const planning = activities.find(({ activityType }) => activityType?.name === PLANNING);
  const { lastWorkerIdentity: hostId, lastStartedTime: started, heartbeatDetails } = planning ?? {};
  if (hostId == null || !isUuid(hostId) || !heartbeatDetails?.payloads?.length) return undefined;
  return { kind: 'at work', hostId, since: new Date(Number(started?.seconds ?? 0) * 1_000).toISOString() };
}
