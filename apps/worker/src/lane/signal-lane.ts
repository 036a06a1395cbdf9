/** A message to a lane. One that does not run is started by it. */
import type { MESSAGE } from '@nereid/contracts';
import {
  CONTROL_QUEUE,
  fullName,
  laneWorkflowId,
  SEARCH_ATTRIBUTE,
  WORKFLOW,
  type LaneInput,
  type NewRevision,
  type Repository,
  type TerraformState,
  type Unlock,
} from '@nereid/contracts';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { WorkerContext } from '../context.ts';

export type LaneMessage =
  | { readonly name: typeof MESSAGE.newRevision; readonly body: NewRevision }
  | { readonly name: typeof MESSAGE.unlock; readonly body: Unlock }
  | { readonly name: typeof MESSAGE.terraformState; readonly body: TerraformState };

/** The client tries again until its deadline, and the activity after it. */
export const SIGNAL_MS = 10_000;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

/** Answers the id of the lane's workflow. */
export async function signalLane(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  rootName: string,
  { name, body }: LaneMessage,
): Promise<string> {
  const workflowId = laneWorkflowId(repository, rootName);
  const input: LaneInput = { repository, rootName };
  await temporal.withDeadline(Date.now() + SIGNAL_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.deploy, {
      workflowId,
      taskQueue: CONTROL_QUEUE,
      args: [input],
      signal: name,
      signalArgs: [body],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      typedSearchAttributes: [
        { key: REPOSITORY, value: fullName(repository) },
        { key: ROOT, value: rootName },
      ],
    }),
  );
  return workflowId;
}
