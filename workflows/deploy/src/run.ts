/** One deployment, from its turn to its record: compare, start, follow, end. */
import {
  ApplicationFailure,
  CancellationScope,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  sleep,
  startChild,
  WorkflowIdReusePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import { TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  hasEnded,
  WORKFLOW,
  type Comparison,
  type Deployment,
  type TerraformInput,
  type TerraformResult,
} from '@nereid/contracts';
import { awaitTerraform, causeOf, compareRevisions } from './activities.ts';
import { runningOf, timestamp, type Lane } from './lane.ts';
import { block, end, endWith, giveBack } from './lane-state.ts';
import { advance } from './progress.ts';
import { store, storeEnded } from './store.ts';
import { searchAttributes } from './search-attributes.ts';
import { verdictOn } from './verdict.ts';

/** The shortest time for which Temporal remembers the id of a closed workflow. */
const CLOSED_IDS_KEPT_MS = 24 * 60 * 60 * 1_000;

/** Runs the deployment that was just popped. */
export async function run(lane: Lane): Promise<void> {
  const deployment = runningOf(lane);
  const verdict = verdictOn(deployment, await compareWithLatest(lane, deployment), lane.state.latest);
  if (verdict.kind === 'run') {
    await store(lane);
    const result = await runTerraform(lane, deployment, verdict.reviewRequired);
    lane.state = end(lane.state, result, timestamp());
  } else {
    lane.state = endWith(lane.state, verdict.kind, verdict.sentence, timestamp());
  }
  await keepRecord(lane, deployment.id);
}

/** Follows a deployment that another run of this lane started. */
export async function followAgain(lane: Lane): Promise<void> {
  const { id } = runningOf(lane);
  const result = await awaitTerraform(id);
  if (result === null && mayNeverHaveStarted(runningOf(lane))) {
    lane.state = giveBack(lane.state, timestamp());
    return;
  }
  lane.state = end(lane.state, result ?? lostFromSight(runningOf(lane)), timestamp());
  await keepRecord(lane, id);
}

/** Cancels what still runs in a cancelled lane, gracefully, and keeps what came of it. */
export async function cancelRunning(lane: Lane, reason: string): Promise<void> {
  const { running } = lane.state;
  if (running === undefined) return;
  await getExternalWorkflowHandle(running.id).cancel().catch(leaveWhatIsNotThere);
  const result = await awaitTerraform(running.id);
  const last = runningOf(lane);
  lane.state =
    result === null && mayNeverHaveStarted(last)
      ? endWith(lane.state, 'cancelled', reason, timestamp())
      : end(lane.state, result ?? lostFromSight(last), timestamp());
  await keepRecord(lane, running.id);
}

async function keepRecord(lane: Lane, id: string): Promise<void> {
  const ended = lane.state.ended.find((deployment) => deployment.id === id);
  if (ended !== undefined) await storeEnded(lane, ended);
}

/** Asks GitHub until it answers; meanwhile the deployment is visibly blocked. */
async function compareWithLatest(lane: Lane, deployment: Deployment): Promise<Comparison | 'no latest'> {
  const { latest } = lane.state;
  if (latest === undefined) return 'no latest';
  if (latest.revision === deployment.revision.sha) return 'identical';
  for (let waitMs = lane.durations.retryMs; ; waitMs = Math.min(waitMs * 2, lane.durations.retryLimitMs)) {
    try {
      const comparison = await compareRevisions(lane.repository, latest.revision, deployment.revision.sha);
      lane.state = block(lane.state, undefined, timestamp());
      return comparison;
    } catch (error) {
      if (isCancellation(error)) throw error;
      lane.state = block(
        lane.state,
        `Cannot compare with ${latest.revision.slice(0, 7)}: ${sentenceOf(error)}`,
        timestamp(),
      );
      await sleep(waitMs);
    }
  }
}

async function runTerraform(lane: Lane, deployment: Deployment, reviewRequired: boolean): Promise<TerraformResult> {
  try {
    const child = await startChild(WORKFLOW.terraform, {
      workflowId: deployment.id,
      args: [inputOf(lane, deployment, reviewRequired)],
      // An operator who terminates a lane must not interrupt an apply.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      // The default would run a closed deployment again.
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      typedSearchAttributes: new TypedSearchAttributes(searchAttributes(lane, deployment)),
      staticSummary: `${lane.rootName} at ${deployment.revision.sha.slice(0, 7)}`,
    });
    return (await child.result()) as TerraformResult; // The contract of the terraform workflow.
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      return (await awaitTerraform(deployment.id)) ?? lostFromSight(runningOf(lane));
    }
    // A terraform workflow that was cancelled by itself fails in the same way as a cancelled lane's.
    if (CancellationScope.current().consideredCancelled && isCancellation(error)) throw error;
    return lostFromSight(runningOf(lane));
  }
}

/** Nobody heard of its terraform workflow: starting that id once more is safe, because a closed one is not run again. */
function mayNeverHaveStarted({ progress }: Deployment): boolean {
  const isSilent = progress.status === 'preparing' || progress.status === 'blocked';
  const since = Date.parse(progress.times.preparing ?? '');
  return isSilent && Date.now() - since < CLOSED_IDS_KEPT_MS;
}

/** It has closed already or was never started; either way `awaitTerraform` knows. */
function leaveWhatIsNotThere(error: unknown): void {
  if (!(error instanceof ApplicationFailure && error.type === 'ExternalWorkflowExecutionNotFound')) throw error;
}

/** The terraform workflow closed without a result. Before its apply nothing can have happened; after, nobody knows. */
function lostFromSight(deployment: Deployment): TerraformResult {
  const mayHaveApplied = deployment.progress.status === 'applying' || hasEnded(deployment.progress.status);
  const status = mayHaveApplied ? 'apply-outcome-unknown' : 'cancelled';
  const reason = mayHaveApplied
    ? 'The terraform workflow ended without a result while it applied. Look at the state before you go on.'
    : 'The terraform workflow ended without a result before it applied anything. Nothing was applied.';
  return advance(deployment.progress, status, timestamp(), reason);
}

function inputOf(lane: Lane, deployment: Deployment, reviewRequired: boolean): TerraformInput {
  const { id, root, revision, trigger, rerun, force, requestedBy, pullRequest } = deployment;
  return {
    deploymentId: id,
    repository: lane.repository,
    root,
    revision,
    trigger,
    rerun,
    force,
    requestedBy,
    ...(pullRequest !== undefined && { pullRequest }),
    reviewRequired,
    laneId: workflowInfo().workflowId,
  };
}

function sentenceOf(error: unknown): string {
  const cause = causeOf(error);
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 300);
}
