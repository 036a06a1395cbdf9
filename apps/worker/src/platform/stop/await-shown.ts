/** Waits until control has done what the end of a job asks for, such as to show it, record it and audit it. */
import type { HostActivities, ClaimActivities } from '@nereid/domain/activities';
import type { ForceUnlockHostActivities, WaveCheckHostActivities } from '@nereid/domain/deployment';
import type { LaneActivities } from '@nereid/domain/lane';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { setTimeout } from 'node:timers/promises';

export interface AwaitShown {
  readonly temporal: Pick<Client, 'workflow' | 'withDeadline'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Short beside the time in which a worker restarts. */
const LOOK_EVERY_MS = 200;

type OfHosts = keyof (ClaimActivities & HostActivities & ForceUnlockHostActivities & WaveCheckHostActivities);

/** A deployment that waits for one of these waits for another host, or for this one's next start. */
const OF_HOSTS: Readonly<Record<OfHosts, true>> = {
  claimHost: true,
  claimAndPlan: true,
  applyOnHost: true,
  inspectApply: true,
  forceUnlockOnHost: true,
  checkOnHost: true,
  stopOnHost: true,
  cleanUpHost: true,
};

/** Resolves once nothing of these deployments is left to do for control, or after `withinMs`. Never throws. */
export async function awaitShown(
  { temporal, logger }: AwaitShown,
  deploymentIds: readonly string[],
  withinMs: number,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let left = deploymentIds;
  const look = async () => {
    const found = await Promise.all(
      left.map((id) => temporal.withDeadline(deadline, () => leftToControl(temporal, id))),
    );
    left = [...new Set(found.flat())];
  };
  try {
    while (left.length > 0 && Date.now() < deadline) {
      await look();
      if (left.length > 0) await setTimeout(LOOK_EVERY_MS);
    }
  } catch (error) {
    logger.warn({ err: error, deployments: left }, 'how the last jobs ended may be shown only after the next start');
    return;
  }
  if (left.length > 0) logger.warn({ deployments: left }, 'how the last jobs ended is shown after the next start');
}

/** The workflow while control has work of it to do, or its lane once it has completed: the end may be left to the lane, which hears of it a moment later. */
async function leftToControl({ workflow }: Pick<Client, 'workflow'>, id: string): Promise<readonly string[]> {
  try {
    const { status, raw } = await workflow.getHandle(id).describe();
    const lane = raw.workflowExecutionInfo?.parentExecution?.workflowId;
    if (status.name === 'COMPLETED' && lane) return [lane];
    if (status.name !== 'RUNNING') return [];
    const activities = raw.pendingActivities ?? [];
    const hasWork = activities.some(({ activityType }) => !isOfOthers(activityType?.name));
    return Boolean(raw.pendingWorkflowTask) || hasWork ? [id] : [];
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

/** No work of this lane: it waits for other lanes. */
const OF_LANES: keyof LaneActivities = 'findDependencies';

function isOfOthers(name: string | null | undefined): boolean {
  return name != null && (name in OF_HOSTS || name === OF_LANES);
}
