/** A message to a lane. One that does not run is started by it. */
import {
  WORKFLOW,
  type MESSAGE,
  type DeploymentEnded,
  type NewRevision,
  type Repository,
  type Resume,
} from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { deploymentIdOf } from './deployment-id.ts';
import { laneStart, MESSAGE_MS } from './start-lane.ts';

export type LaneMessage =
  | { readonly name: typeof MESSAGE.newRevision; readonly body: NewRevision }
  | { readonly name: typeof MESSAGE.deploymentEnded; readonly body: DeploymentEnded }
  | { readonly name: typeof MESSAGE.resume; readonly body: Resume };

/** Answers the id of the lane's workflow. */
export async function signalLane(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  rootName: string,
  { name, body }: LaneMessage,
): Promise<string> {
  const start = laneStart(repository, rootName);
  const message = 'requestId' in body ? { ...body, deploymentId: deploymentIdOf(start.workflowId, body) } : body;
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.deploy, { ...start, signal: name, signalArgs: [message] }),
  );
  return start.workflowId;
}
