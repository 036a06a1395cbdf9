/** The end of what ran: recorded whatever is cancelled meanwhile. */
import { auditEvent, type Deployment, type Job, type Progress, type TerraformEnd } from '@nereid/contracts';
import { CancellationScope } from '@temporalio/workflow';
import { recordAudit } from './activities.ts';
import { runningOf, timestamp, type Lane } from './lane.ts';
import { end } from './lane-state.ts';
import { lostFromSight } from './lost-from-sight.ts';
import { recordEnded, store } from './store.ts';
import { terraformInput } from './terraform-input.ts';

/** The terraform workflow is over. */
export async function conclude(lane: Lane, over: TerraformEnd): Promise<void> {
  const running = runningOf(lane);
  const progress = over.kind === 'ended' ? over.result : lostFromSight(running, over.kind);
  lane.state = end(lane.state, progress, timestamp());
  const { apply } = progress.jobs;
  const isUnaudited = over.kind !== 'ended' && progress.status === 'apply-outcome-unknown' && apply !== undefined;
  await Promise.all([keepEnd(lane), ...(isUnaudited ? [recordUnknown(lane, running, progress, apply)] : [])]);
}

/** Returns when what the lane is now, and all that ended, is stored. */
export async function keepEnd(lane: Lane): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    await Promise.all([store(lane), recordEnded(lane)]);
  });
}

/** The apply began, and its terraform workflow is not there to write its end. */
async function recordUnknown(lane: Lane, deployment: Deployment, progress: Progress, job: Job): Promise<void> {
  const closed = { ...job, endedAt: timestamp() };
  const event = auditEvent(terraformInput(lane, deployment, false), progress, closed, 'UNKNOWN');
  await CancellationScope.nonCancellable(() => recordAudit(event));
}
