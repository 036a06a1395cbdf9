/** A message to a lane that it answers. A lane that does not run is started by it, and answers as its record says. */
import {
  MESSAGE,
  WORKFLOW,
  type Cancel,
  type CancelAnswer,
  type Repository,
  type Unlock,
  type UnlockAnswer,
} from '@nereid/contracts';
import { WithStartWorkflowOperation } from '@temporalio/client';
import type { Workflow } from '@temporalio/common';
import type { WorkerContext } from '../context.ts';
import { laneStart, MESSAGE_MS } from './start-lane.ts';

type Asking = Pick<WorkerContext, 'temporal'>;

/** Asks the lane to lift its lock, and answers whether it did. The same request again gets the same answer. */
export function unlockLane(
  context: Asking,
  repository: Repository,
  rootName: string,
  message: Unlock,
): Promise<UnlockAnswer> {
  return askLane(context, repository, rootName, { name: MESSAGE.unlock, message });
}

/** Asks the lane to end a deployment, and answers what comes of it. The same request again gets the same answer. */
export function cancelInLane(
  context: Asking,
  repository: Repository,
  rootName: string,
  message: Cancel,
): Promise<CancelAnswer> {
  return askLane(context, repository, rootName, { name: MESSAGE.cancel, message });
}

async function askLane<Answer>(
  { temporal }: Asking,
  repository: Repository,
  rootName: string,
  { name, message }: { readonly name: string; readonly message: Unlock | Cancel },
): Promise<Answer> {
  const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOW.deploy, {
    ...laneStart(repository, rootName),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.executeUpdateWithStart<Workflow, Answer, [Unlock | Cancel]>(name, {
      startWorkflowOperation,
      updateId: message.requestId,
      args: [message],
    }),
  );
}
