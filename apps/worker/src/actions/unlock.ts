import type { PressedCheckRun, Sender } from '@nereid/domain/intake';
import { describeLock, laneWorkflowId } from '@nereid/domain/lane';
import { unlockLane } from '../lane/ask-lane.ts';
import { returnSettled } from '../lane/budgets/budget-leases.ts';
import { writeEnded } from '../lane/show/write-ended.ts';
import { viewLane } from '../lane/view-lane.ts';
import { byOf } from '../person/permission.ts';
import type { ActionCall, LaneAnswer, LaneEffect, LaneTarget } from './action.ts';

export const UNLOCK: LaneEffect = {
  whyNot: whyNotShown,
  perform: unlock,
  show: showUnlocked,
  reply: { done: 'Unlocked', undone: 'Not locked' },
};

/** Lifts the lock of a lane, so that waiting deployments go on. The forge is not asked: an operator unlocks while it is away. */
export async function unlock(
  call: ActionCall,
  asker: Sender,
  { repository, rootName, lock }: LaneTarget,
): Promise<LaneAnswer> {
  const { delivery, askedAt } = call;
  const named = lock === undefined ? {} : { deploymentId: lock };
  const message = { version: 1, requestId: `${delivery}:${rootName}`, ...byOf(asker), askedAt, ...named } as const;
  const answer = await unlockLane(call, repository, rootName, message);
  if (answer.kind === 'refused') return answer;
  await returnSettled(call.context, repository, rootName);
  return { kind: 'done', sentence: `unlocks ${rootName}`, workflow: laneWorkflowId(repository, rootName) };
}

/** The lock may be another one than the person was shown. */
async function whyNotShown(
  { context }: Pick<ActionCall, 'context'>,
  { repository, rootName, lock }: LaneTarget,
): Promise<string | undefined> {
  const present = (await viewLane(context, repository, rootName))?.lock;
  if (present === undefined) return `${rootName} is not locked`;
  if (present.deploymentId === lock) return undefined;
  return `the present lock is another one, set by ${describeLock(present)}: look at it first`;
}

/**
 * Shows that a lock was lifted on the check run of the deployment that set it; by default, the last one. The answer is noted before:
 * that the forge refuses the check run makes no refusal of it.
 */
async function showUnlocked(
  { context }: Pick<ActionCall, 'context'>,
  { repository, rootName, lock }: LaneTarget,
  checkRun?: Pick<PressedCheckRun, 'id'>,
): Promise<void> {
  if (lock === undefined) return;
  const ended = await context.deploymentRecords.find(repository, rootName, lock);
  const shown = checkRun ?? ended?.deployment.checkRuns.at(-1);
  if (ended && shown) await writeEnded(context, { repository, checkRun: shown, deployment: ended.deployment });
}
