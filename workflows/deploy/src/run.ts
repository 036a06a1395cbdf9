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
  auditEvent,
  hasEnded,
  WORKFLOW,
  type Comparison,
  type Deployment,
  type TerraformInput,
  type TerraformResult,
} from '@nereid/contracts';
import { awaitTerraform, causeOf, compareRevisions, recordAudit } from './activities.ts';
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
    await conclude(lane, await runTerraform(lane, deployment, verdict.reviewRequired));
  } else {
    lane.state = endWith(lane.state, verdict.kind, verdict.sentence, timestamp());
    await keepRecord(lane, deployment.id);
  }
}

/** Follows a deployment that another run of this lane started. */
export async function followAgain(lane: Lane): Promise<void> {
  const result = await following(lane, () => awaitTerraform(runningOf(lane).id));
  if (result === null && mayNeverHaveStarted(runningOf(lane))) lane.state = giveBack(lane.state, timestamp());
  else await conclude(lane, result);
}

/** Cancels what still runs in a cancelled lane, gracefully, and keeps what came of it. */
export async function cancelRunning(lane: Lane, reason: string): Promise<void> {
  const { running } = lane.state;
  if (running === undefined) return;
  await getExternalWorkflowHandle(running.id).cancel().catch(leaveWhatIsNotThere);
  const result = await awaitTerraform(running.id);
  if (result === null && mayNeverHaveStarted(runningOf(lane))) {
    lane.state = endWith(lane.state, 'cancelled', reason, timestamp());
    await keepRecord(lane, running.id);
  } else await conclude(lane, result);
}

/** The terraform workflow has closed; null: without a result. */
async function conclude(lane: Lane, result: TerraformResult | null): Promise<void> {
  const running = runningOf(lane);
  const progress = result ?? lostFromSight(running);
  lane.state = end(lane.state, progress, timestamp());
  const kept = keepRecord(lane, running.id);
  const { apply } = progress.jobs;
  if (result === null && apply !== undefined && progress.status === 'apply-outcome-unknown') {
    const closed = { ...apply, endedAt: timestamp() };
    await CancellationScope.nonCancellable(() =>
      recordAudit(auditEvent(inputOf(lane, running, false), progress, closed, 'UNKNOWN')),
    );
  }
  await kept;
}

async function keepRecord(lane: Lane, id: string): Promise<void> {
  const ended = lane.state.ended.find((deployment) => deployment.id === id);
  const kept = ended === undefined ? undefined : storeEnded(lane, ended);
  await store(lane);
  await kept;
}

/** What a lane that continues as new meanwhile finds again. */
async function following<T>(lane: Lane, end: () => Promise<T>): Promise<T> {
  lane.isFollowing = true;
  try {
    return await end();
  } finally {
    lane.isFollowing = false;
  }
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

/** Null: the terraform workflow closed without a result. */
async function runTerraform(
  lane: Lane,
  deployment: Deployment,
  reviewRequired: boolean,
): Promise<TerraformResult | null> {
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
    return await following(lane, async () => (await child.result()) as TerraformResult); // The contract of that workflow.
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      return await following(lane, () => awaitTerraform(deployment.id));
    }
    // A terraform workflow that was cancelled by itself fails in the same way as a cancelled lane's.
    if (CancellationScope.current().consideredCancelled && isCancellation(error)) throw error;
    return null;
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

/** What a closed terraform workflow without a result comes to. Before its apply nothing can have happened; after, nobody knows. */
function lostFromSight({ progress }: Deployment): TerraformResult {
  // It had told its end, and was cleaning up.
  if (hasEnded(progress.status)) return progress;
  const mayHaveApplied = progress.status === 'applying';
  const status = mayHaveApplied ? 'apply-outcome-unknown' : 'cancelled';
  const reason = mayHaveApplied
    ? 'The terraform workflow ended without a result while it applied. Look at the state before you go on.'
    : 'The terraform workflow ended without a result before it applied anything. Nothing was applied.';
  return advance(progress, status, timestamp(), reason);
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
