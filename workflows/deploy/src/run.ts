/** One deployment, from its turn to its record: compare, start, follow, end. */
import {
  CancellationScope,
  isCancellation,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import { TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { WORKFLOW, type Deployment, type TerraformEnd, type TerraformResult } from '@nereid/contracts';
import { awaitTerraform } from './activities.ts';
import { endBeforeItStarted, isCancelled } from './cancel-running.ts';
import { collapseContained, compareWithLatest } from './compare.ts';
import { conclude, keepEnd } from './conclude.ts';
import { runningOf, timestamp, type Lane } from './lane.ts';
import { endWith, giveBack, warn } from './lane-state.ts';
import { mayNeverHaveStarted } from './lost-from-sight.ts';
import { store } from './store.ts';
import { searchAttributes } from './search-attributes.ts';
import { terraformInput } from './terraform-input.ts';
import { verdictOn } from './verdict.ts';

/** Runs the deployment that was just popped. */
export async function run(lane: Lane): Promise<void> {
  const deployment = runningOf(lane);
  const reviewRequired = await admit(lane, deployment);
  if (isCancelled(lane)) endBeforeItStarted(lane);
  if (reviewRequired === undefined || lane.state.running === undefined) await keepEnd(lane);
  else await conclude(lane, await runTerraform(lane, deployment, reviewRequired));
}

/** Follows a deployment that another run of this lane started. */
export async function followAgain(lane: Lane): Promise<void> {
  const over = await following(lane, () => awaitTerraform(runningOf(lane).id));
  if (over.kind !== 'not-there' || !mayNeverHaveStarted(runningOf(lane))) await conclude(lane, over);
  else if (isCancelled(lane)) {
    endBeforeItStarted(lane);
    await keepEnd(lane);
  } else lane.state = giveBack(lane.state, timestamp());
}

/** Whether its plan needs a review; undefined when it does not run at all. What runs stands in the stored record then. */
async function admit(lane: Lane, deployment: Deployment): Promise<boolean | undefined> {
  const comparison = await compareWithLatest(lane, deployment);
  if (comparison === undefined) return undefined;
  const verdict = verdictOn(deployment, comparison, lane.state.latest);
  if (verdict.kind !== 'run') {
    lane.state = endWith(lane.state, verdict.kind, verdict.sentence, timestamp());
    return undefined;
  }
  if (verdict.warning !== undefined) lane.state = warn(lane.state, verdict.warning);
  await collapseContained(lane, deployment);
  await store(lane);
  return verdict.reviewRequired;
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

async function runTerraform(lane: Lane, deployment: Deployment, reviewRequired: boolean): Promise<TerraformEnd> {
  try {
    const child = await startChild(WORKFLOW.terraform, {
      workflowId: deployment.id,
      args: [terraformInput(lane, deployment, reviewRequired)],
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
