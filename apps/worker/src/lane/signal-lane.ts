/** Sends a message to a lane. The message starts a lane that does not run. */
import type { Cancel, Unlock } from '@nereid/domain/deployment';
import {
  laneWorkflowId,
  type DeploymentEnded,
  type LaneHint,
  type LookAgain,
  type NewRevision,
  type Resume,
} from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { WorkerContext } from '../platform/context.ts';
import type { RingContext } from './ask-again.ts';
import { laneStart, MESSAGE_MS } from './start-lane.ts';

export type LaneMessage =
  | { readonly name: typeof MESSAGE.newRevision; readonly body: NewRevision }
  | { readonly name: typeof MESSAGE.unlock; readonly body: Signed<Unlock> }
  | { readonly name: typeof MESSAGE.cancel; readonly body: Signed<Cancel> }
  | { readonly name: typeof MESSAGE.deploymentEnded; readonly body: DeploymentEnded }
  | { readonly name: typeof MESSAGE.resume; readonly body: Resume };

/** Returns the id of the lane's workflow. A lane that it starts opens with the hint. */
export async function signalLane(
  { temporal }: Pick<WorkerContext, 'temporal'>,
  repository: Repository,
  rootName: string,
  message: LaneMessage,
  hint?: LaneHint,
): Promise<string> {
  const start = laneStart(repository, rootName, hint);
  const signalArgs = [message.body];
  await temporal.withDeadline(Date.now() + MESSAGE_MS, () =>
    temporal.workflow.signalWithStart(WORKFLOW.deploy, { ...start, signal: message.name, signalArgs }),
  );
  return start.workflowId;
}

/** The reason why its deployments wait may be gone. A lane that does not run waits for nothing. */
export async function wakeLane(
  { temporal }: RingContext,
  repository: Pick<Repository, 'owner' | 'name'>,
  rootName: string,
  { withinMs = MESSAGE_MS, ...how }: { readonly withinMs?: number } & Pick<LookAgain, 'isToShow'> = {},
): Promise<void> {
  const lane = temporal.workflow.getHandle(laneWorkflowId(repository, rootName));
  try {
    await temporal.withDeadline(Date.now() + withinMs, () =>
      lane.signal<[LookAgain]>(MESSAGE.lookAgain, { version: 1, ...how }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
