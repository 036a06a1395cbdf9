import type { PressedCheckRun, Sender } from '@nereid/domain/intake';
import { laneWorkflowId } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { unlockLane } from '../lane/ask-lane.ts';
import { writeEnded } from '../lane/show/write-ended.ts';
import { byOf } from '../person/permission.ts';
import type { ActionAnswer, ActionCall } from './action.ts';

export interface LockedLane {
  readonly repository: Repository;
  readonly rootName: string;
  /** The id of the deployment that set the lock which the person saw: another lock stays. Without, whatever lock there is. */
  readonly lock?: string;
}

/** Lifts the lock of a lane, so that waiting deployments go on. The forge is not asked: an operator unlocks while it is away. */
export async function unlock(
  call: ActionCall,
  asker: Sender,
  { repository, rootName, lock }: LockedLane,
): Promise<ActionAnswer<{ readonly workflow: string }>> {
  const { delivery, askedAt } = call;
  const named = lock === undefined ? {} : { deploymentId: lock };
  const message = { version: 1, requestId: `${delivery}:${rootName}`, ...byOf(asker), askedAt, ...named } as const;
  const answer = await unlockLane(call, repository, rootName, message);
  if (answer.kind === 'refused') return answer;
  return { kind: 'done', sentence: `unlocks ${rootName}`, workflow: laneWorkflowId(repository, rootName) };
}

/**
 * Shows that a lock was lifted on the check run of the deployment that set it; by default, the last one. Note the answer first: that
 * the forge refuses the check run makes no refusal of it.
 */
export async function showUnlocked(
  { context }: Pick<ActionCall, 'context'>,
  { repository, rootName, lock }: Required<LockedLane>,
  checkRun?: Pick<PressedCheckRun, 'id'>,
): Promise<void> {
  const ended = await context.deploymentRecords.find(repository, rootName, lock);
  const shown = checkRun ?? ended?.deployment.checkRuns.at(-1);
  if (ended && shown) await writeEnded(context, { repository, checkRun: shown, deployment: ended.deployment });
}
