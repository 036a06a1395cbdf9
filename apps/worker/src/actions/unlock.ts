import { laneWorkflowId, type PressedCheckRun, type Repository, type Sender } from '@nereid/contracts';
import { unlockLane } from '../lane/ask-lane.ts';
import { writeEnded } from '../lane/show/write-ended.ts';
import { byOf } from '../person/permission.ts';
import type { ActionAnswer, ActionCall } from './action.ts';

export interface LockedLane {
  readonly repository: Repository;
  readonly rootName: string;
  /** The id of the deployment that set the lock which the person saw: another lock stays. Without, whatever lock there is. */
  readonly lock?: string;
  /** The check run that shows the lock; without, the last one of the deployment that set it. */
  readonly checkRun?: Pick<PressedCheckRun, 'id'>;
}

/** Lifts the lock of a lane, so that waiting deployments go on, and shows that on the check run of the deployment that set it. */
export async function unlock(
  call: ActionCall,
  asker: Sender,
  { repository, rootName, lock, checkRun }: LockedLane,
): Promise<ActionAnswer<{ readonly workflow: string }>> {
  const { context, delivery, askedAt } = call;
  const named = lock === undefined ? {} : { deploymentId: lock };
  const message = { version: 1, requestId: `${delivery}:${rootName}`, ...byOf(asker), askedAt, ...named } as const;
  const answer = await unlockLane(call, repository, rootName, message);
  if (answer.kind === 'refused') return answer;
  const ended = lock === undefined ? undefined : await context.deploymentRecords.find(repository, rootName, lock);
  const shown = checkRun ?? ended?.deployment.checkRuns.at(-1);
  if (ended && shown) await writeEnded(context, { repository, checkRun: shown, deployment: ended.deployment });
  return { kind: 'done', sentence: `unlocks ${rootName}`, workflow: laneWorkflowId(repository, rootName) };
}
