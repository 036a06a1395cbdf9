import { laneWorkflowId, MESSAGE, type LaneView, type Repository, queryAtRest } from '@nereid/contracts';
import { setTimeout } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';
import { MESSAGE_MS } from './start-lane.ts';

/** The lane as it is at this moment, or as it was when it ended; undefined when Temporal knows none. */
export async function viewLane(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  rootName: string,
): Promise<LaneView | undefined> {
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  try {
    return await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
      queryAtRest<LaneView>(lane, MESSAGE.lane, setTimeout),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
