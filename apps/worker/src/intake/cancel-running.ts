import type { Repository } from '@nereid/contracts';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { IntakeCall } from './intake-call.ts';
import { MESSAGE_MS } from '../lane/start-lane.ts';

/** Asks the running deployment of each root to end gracefully. Answers the ids of those that were running. */
export async function cancelRunning(
  { context: { laneRecords, temporal } }: IntakeCall,
  repository: Repository,
  rootNames: readonly string[],
): Promise<readonly string[]> {
  const cancelled: string[] = [];
  for (const rootName of rootNames) {
    const id = (await laneRecords.read(repository, rootName))?.record.running?.id;
    if (id === undefined) continue;
    try {
      await temporal.withDeadline(Date.now() + MESSAGE_MS, () => temporal.workflow.getHandle(id).cancel());
      cancelled.push(id);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
  return cancelled;
}
