import { MESSAGE, WORKFLOW, type Repository, type Unlock, type UnlockAnswer } from '@nereid/contracts';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { WorkerContext } from '../context.ts';
import { laneStart, MESSAGE_MS } from './start-lane.ts';

/** Asks the lane to lift its lock, and answers whether it did. The same request again gets the same answer. */
export async function unlockLane(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  rootName: string,
  message: Unlock,
): Promise<UnlockAnswer> {
  const start = new WithStartWorkflowOperation(WORKFLOW.deploy, {
    ...laneStart(repository, rootName),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.executeUpdateWithStart<Workflow, UnlockAnswer, [Unlock]>(MESSAGE.unlock, {
      startWorkflowOperation: start,
      updateId: message.requestId,
      args: [message],
    }),
  );
}
