/** The end of what runs, when somebody asks for it: Terraform is interrupted gracefully, and its outcome is awaited. */
import { ApplicationFailure, condition, getExternalWorkflowHandle } from '@temporalio/workflow';
import { MESSAGE, type Cancelling } from '@nereid/contracts';
import { awaitTerraform } from './activities.ts';
import { conclude } from './conclude.ts';
import { runningOf, timestamp, type Lane } from './lane.ts';
import { endWith } from './lane-state.ts';
import { mayNeverHaveStarted } from './lost-from-sight.ts';

/** The loop: tells the terraform workflow who asked for its end. */
export async function passCancellationsOn(lane: Lane): Promise<never> {
  for (let passedOn: string | undefined; ;) {
    await condition(() => lane.isFollowing && isCancelled(lane) && lane.state.running?.id !== passedOn);
    const { id, cancellation } = runningOf(lane);
    passedOn = id;
    const terraform = getExternalWorkflowHandle(id);
    const message: Cancelling = { version: 1, by: cancellation?.by ?? '' };
    await terraform
      .signal(MESSAGE.cancelling, message)
      .then(() => terraform.cancel())
      .catch(leaveWhatIsNotThere);
  }
}

/** Whether somebody asked for the end of what runs. */
export function isCancelled({ state: { running } }: Lane): boolean {
  return running?.cancellation !== undefined;
}

/** Nothing of it has reached a host: it ends at once. */
export function endBeforeItStarted(lane: Lane): void {
  const reason = `Cancelled by @${runningOf(lane).cancellation?.by ?? ''}`;
  lane.state = endWith(lane.state, 'cancelled', reason, timestamp());
}

/** Cancels what still runs in a cancelled lane, gracefully, and keeps what came of it. */
export async function cancelRunning(lane: Lane, reason: string): Promise<void> {
  const { running } = lane.state;
  if (running === undefined) return;
  await getExternalWorkflowHandle(running.id).cancel().catch(leaveWhatIsNotThere);
  const over = await awaitTerraform(running.id);
  if (over.kind === 'not-there' && mayNeverHaveStarted(runningOf(lane))) {
    lane.state = endWith(lane.state, 'cancelled', reason, timestamp());
  } else await conclude(lane, over);
}

/** It has closed already or was never started; either way `awaitTerraform` knows. */
function leaveWhatIsNotThere(error: unknown): void {
  if (!(error instanceof ApplicationFailure && error.type === 'ExternalWorkflowExecutionNotFound')) throw error;
}
