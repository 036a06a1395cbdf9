/** Begins the effects of a lane, and tells each end as one event. */
import {
  ApplicationFailure,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
  type ChildWorkflowHandle,
  type ExternalWorkflowHandle,
  type Workflow,
} from '@temporalio/workflow';
import { TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  shortSha,
  type Cancel,
  type Deployment,
  type DeploymentStatus,
  type Notice,
  type ShowAgain,
  type TerraformInput,
} from '@nereid/domain/deployment';
import { defined } from '@nereid/domain/defined';
import type { Signed } from '@nereid/domain/signed';
import { fullName } from '@nereid/domain/root';
import { MESSAGE, WORKFLOW } from '@nereid/domain/temporal-names';
import {
  isReturnedEnd,
  type Effect,
  type EffectOf,
  type LaneActor,
  type LaneEvent,
  type PassOn,
} from '@nereid/domain/lane';
import {
  admitDeployment,
  findDependencies,
  findTerraform,
  readLane,
  settleEnd,
  settleLane,
  showCheckRuns,
  whyFailed,
} from './activities.ts';
import { createLook } from './look.ts';
import { REPOSITORY, REVISION, ROOT, STATE } from '../search-attributes.ts';
import { priorityOf } from '../priority.ts';

type Emit = (event: LaneEvent) => void;

/** Returns a function that begins an effect of the lane, as it stands then. */
export function createBegin(emit: Emit): (lane: LaneActor, effect: Effect) => void {
  const look = createLook(emit);
  return (lane, effect) => {
    const failed = (error: unknown): LaneEvent => ({ kind: 'failed', effect, why: whyFailed(error) });
    if (effect.kind === 'look') look.instead(() => lookAt(lane, effect), failed);
    else perform(lane, effect, emit).catch((error: unknown) => emit(failed(error)));
  };
}

async function lookAt({ repository, durations }: LaneActor, effect: EffectOf<'look'>): Promise<LaneEvent> {
  return { kind: 'looked', effect, found: await findDependencies(durations, repository, effect.dependents) };
}

async function perform(lane: LaneActor, effect: Effect, emit: Emit): Promise<void> {
  if (effect.kind === 'start') await startTerraform(lane, effect, emit);
  else for (const ended of await endOf(lane, effect)) emit(ended);
}

async function endOf({ repository, rootName }: LaneActor, effect: Effect): Promise<readonly LaneEvent[]> {
  switch (effect.kind) {
    case 'read':
      return [{ kind: 'read', read: await readLane(repository, rootName, effect.shown, effect.awaited) }];
    case 'admit':
      return [{ kind: 'admitted', effect, admitted: await admitDeployment(effect.admission) }];
    case 'settle':
      return [{ kind: 'settled', effect, stored: await settleLane(effect.settlement) }];
    case 'end':
      return [{ kind: 'ended', effect, settled: await settleEnd(effect.settlement) }];
    case 'find': {
      const { deploymentId, pool } = effect;
      return [
        { kind: 'found', deploymentId, found: await findTerraform(repository, rootName, { deploymentId, pool }) },
      ];
    }
    case 'show':
      return [{ kind: 'shown', effect, results: await showCheckRuns(repository, effect.presentations) }];
    case 'pass-on':
      return [{ kind: 'passed-on', passOn: effect.passOn, isThere: await passOn(effect.passOn) }];
    case 'look':
    case 'start':
    case 'pop':
    case 'continue-as-new':
    case 'finish':
    case 'wait':
      return [];
  }
}

async function startTerraform(lane: LaneActor, effect: EffectOf<'start'>, emit: Emit): Promise<void> {
  const { deployment, reported, reviewRequired, readToken } = effect;
  const { id: deploymentId, revision } = deployment;
  const input: TerraformInput = {
    repository: lane.repository,
    deployment,
    reported,
    reviewRequired,
    ...defined({ readToken, state: lane.state.latest?.state }),
  };
  try {
    const child = await startChild(WORKFLOW.terraform, {
      workflowId: deploymentId,
      args: [input],
      // An operator who terminates a lane must not interrupt an apply.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      // The default would run a closed deployment again.
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      priority: priorityOf('turn', lane.repository),
      typedSearchAttributes: searchAttributesOf(lane, deployment),
      memo: memoOf(lane, effect),
      staticSummary: `${lane.rootName} at ${shortSha(revision.sha)}`,
      staticDetails: `${deployment.trigger === 'merge' ? 'Merged' : 'Asked for'} by @${deployment.requestedBy}, in ${fullName(lane.repository)}.`,
    });
    emit({ kind: 'started', deploymentId });
    await follow(child, deploymentId, emit);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    emit({ kind: 'already-started', deploymentId });
  }
}

/** From then on, it keeps its state true by itself. */
function searchAttributesOf({ repository, rootName }: LaneActor, { revision }: Deployment): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: REPOSITORY, value: fullName(repository) },
    { key: ROOT, value: rootName },
    { key: REVISION, value: revision.sha },
    { key: STATE, value: 'planning' satisfies DeploymentStatus },
  ]);
}

function memoOf({ repository, rootName }: LaneActor, { deployment }: EffectOf<'start'>) {
  const { revision, requestedBy } = deployment;
  return { repository: fullName(repository), root: rootName, revision: revision.sha, requestedBy };
}

/** A terraform workflow that was ended by force has no result, and one that somebody runs in its place may have any. */
async function follow(child: ChildWorkflowHandle<Workflow>, deploymentId: string, emit: Emit): Promise<void> {
  const closed = await child.result().then(
    (result: unknown) => (isReturnedEnd(result) ? { result } : {}),
    () => ({}),
  );
  emit({ kind: 'closed', deploymentId, ...closed });
}

/** Sends the message, and returns whether the terraform workflow is there. */
async function passOn(message: PassOn): Promise<boolean> {
  const terraform = getExternalWorkflowHandle(message.deploymentId);
  try {
    await send(terraform, message);
    return true;
  } catch (error) {
    if (isNotThere(error)) return false;
    throw error;
  }
}

async function send(terraform: ExternalWorkflowHandle, message: PassOn): Promise<void> {
  switch (message.kind) {
    case 'notice':
      await terraform.signal<[Signed<Notice>]>(MESSAGE.notice, message.notice);
      return;
    case 'show-again': {
      const { unlocked, tellsEnd } = message;
      await terraform.signal<[ShowAgain]>(MESSAGE.showAgain, { version: 1, ...defined({ unlocked, tellsEnd }) });
      return;
    }
    case 'cancel': {
      const { cancellation } = message;
      if (cancellation !== undefined) await terraform.signal<[Signed<Cancel>]>(MESSAGE.cancelling, cancellation);
      await terraform.cancel();
    }
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === 'ExternalWorkflowExecutionNotFound';
}
