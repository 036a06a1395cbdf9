/** How a lane stands: its record, which a lane that runs writes first. */
import { laneWorkflowId, MESSAGE, type LaneRecord, type Repository } from '@nereid/contracts';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';
import { MESSAGE_MS } from './start-lane.ts';

/**
 * The lane as it is at this moment, or as it was when it ended; undefined when this root was never deployed. Throws when
 * a lane that runs does not answer, and what reading the record throws.
 */
export async function readLane(
  { temporal, laneRecords }: Pick<WorkerContext, 'temporal' | 'laneRecords'>,
  repository: Repository,
  rootName: string,
): Promise<LaneRecord | undefined> {
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  try {
    await temporal.withDeadline(Date.now() + MESSAGE_MS, () => lane.executeUpdate(MESSAGE.store));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  return (await laneRecords.read(repository, rootName))?.record;
}
