/** Sends a message to a lane. The message starts a lane that does not run. */
import type { Cancel, Unlock } from '@nereid/domain/deployment';
import type { DeploymentEnded, NewRevision, Resume } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { type MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../platform/context.ts';
import { laneStart, MESSAGE_MS } from './start-lane.ts';

export type LaneMessage =
  | { readonly name: typeof MESSAGE.newRevision; readonly body: NewRevision }
  | { readonly name: typeof MESSAGE.unlock; readonly body: Signed<Unlock> }
  | { readonly name: typeof MESSAGE.cancel; readonly body: Signed<Cancel> }
  | { readonly name: typeof MESSAGE.deploymentEnded; readonly body: DeploymentEnded }
  | { readonly name: typeof MESSAGE.resume; readonly body: Resume };

/** Returns the id of the lane's workflow. */
export async function signalLane(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  rootName: string,
  message: LaneMessage,
): Promise<string> {
  const start = laneStart(repository, rootName);
  const signalArgs = [message.body];
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.deploy, { ...start, signal: message.name, signalArgs }),
  );
  return start.workflowId;
}
