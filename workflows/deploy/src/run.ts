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
  type Job,
  type Progress,
  type TerraformEnd,
  type TerraformInput,
  type TerraformResult,
} from '@nereid/contracts';
import { awaitTerraform, causeOf, compareRevisions, recordAudit } from './activities.ts';
import { runningOf, timestamp, type Lane } from './lane.ts';
import { block, end, endWith, giveBack, warn } from './lane-state.ts';
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
    if (verdict.warning !== undefined) lane.state = warn(lane.state, verdict.warning);
    await store(lane);
    await conclude(lane, await runTerraform(lane, deployment, verdict.reviewRequired));
  } else {
    lane.state = endWith(lane.state, verdict.kind, verdict.sentence, timestamp());
    await keepRecord(lane, deployment.id);
  }
}

/** Follows a deployment that another run of this lane started. */
export async function followAgain(lane: Lane): Promise<void> {
  const over = await following(lane, () => awaitTerraform(runningOf(lane).id));
  if (over.kind === 'not-there' && mayNeverHaveStarted(runningOf(lane))) {
    lane.state = giveBack(lane.state, timestamp());
  } else await conclude(lane, over);
}

/** Cancels what still runs in a cancelled lane, gracefully, and keeps what came of it. */
export async function cancelRunning(lane: Lane, reason: string): Promise<void> {
  const { running } = lane.state;
  if (running === undefined) return;
  await getExternalWorkflowHandle(running.id).cancel().catch(leaveWhatIsNotThere);
  const over = await awaitTerraform(running.id);
  if (over.kind === 'not-there' && mayNeverHaveStarted(runningOf(lane))) {
    lane.state = endWith(lane.state, 'cancelled', reason, timestamp());
    await keepRecord(lane, running.id);
  } else await conclude(lane, over);
}

/** The terraform workflow is over. */
async function conclude(lane: Lane, over: TerraformEnd): Promise<void> {
  const running = runningOf(lane);
  const progress = over.kind === 'ended' ? over.result : lostFromSight(running, over.kind);
  lane.state = end(lane.state, progress, timestamp());
  const { apply } = progress.jobs;
  const isUnaudited = over.kind !== 'ended' && progress.status === 'apply-outcome-unknown' && apply !== undefined;
  await Promise.all([
    keepRecord(lane, running.id),
    ...(isUnaudited ? [recordUnknown(lane, running, progress, apply)] : []),
  ]);
}

/** The apply began, and its terraform workflow is not there to write its end. */
async function recordUnknown(lane: Lane, deployment: Deployment, progress: Progress, job: Job): Promise<void> {
  const closed = { ...job, endedAt: timestamp() };
  const event = auditEvent(inputOf(lane, deployment, false), progress, closed, 'UNKNOWN');
  await CancellationScope.nonCancellable(() => recordAudit(event));
}

/** What became of it is kept whatever is cancelled meanwhile. */
async function keepRecord(lane: Lane, id: string): Promise<void> {
  const ended = lane.state.ended.find((deployment) => deployment.id === id);
  await CancellationScope.nonCancellable(async () => {
    await Promise.all([store(lane), ...(ended === undefined ? [] : [storeEnded(lane, ended)])]);
  });
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

async function runTerraform(lane: Lane, deployment: Deployment, reviewRequired: boolean): Promise<TerraformEnd> {
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
    const result = (await following(lane, () => child.result())) as TerraformResult; // The contract of that workflow.
    return { kind: 'ended', result };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      return await following(lane, () => awaitTerraform(deployment.id));
    }
    // A terraform workflow that was cancelled by itself fails in the same way as a cancelled lane's.
    if (CancellationScope.current().consideredCancelled && isCancellation(error)) throw error;
    return { kind: 'closed' };
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

/**
 * What a terraform workflow without a result comes to. Closed: before its apply nothing can have happened, after it nobody
 * knows. Forgotten by Temporal: nobody knows at all.
 */
function lostFromSight({ progress }: Deployment, how: 'closed' | 'not-there'): TerraformResult {
  // It had told its end, and was cleaning up.
  if (hasEnded(progress.status)) return progress;
  if (how === 'closed' && progress.status !== 'applying') {
    return advance(progress, 'cancelled', timestamp(), 'The terraform workflow was ended before it applied anything.');
  }
  const sentence =
    how === 'closed'
      ? 'The terraform workflow was ended while it applied. Look at the state before you go on.'
      : 'Temporal does not know the terraform workflow any more, nor what it applied. Look at the state before you go on.';
  return advance(progress, 'apply-outcome-unknown', timestamp(), sentence);
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
