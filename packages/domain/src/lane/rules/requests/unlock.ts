/**
 * Lifts the lock of a lane. A button lifts the lock for which its deployment waits, or which it has set. The deployments that
 * waited, and the one that set the lock, show who lifted it.
 */
import type { Lock, Unlock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { Signed } from '../../../signed.ts';
import type { UnlockAnswer } from '../../messages.ts';
import type { LaneState } from '../state/lane-state.ts';
import { judgedAnswer, rememberAnswer } from '../queue/judged.ts';
import { describeLock, passes } from '../../../deployment/rules/lock.ts';
import { inOrder, type Queue } from '../queue/queue.ts';
import { LIFTED_LIMIT } from '../queue/lifted.ts';

/** Somebody asks for the lock to be lifted. A repeated request changes nothing and keeps its answer. */
export function unlock(state: LaneState, message: Signed<Unlock>, at: string): LaneState {
  const { requestId } = message.body;
  if (judgedAnswer(state.judged, requestId) !== undefined) return state;
  const answer = judgeUnlock(state, message.body);
  const judged = { ...state, judged: rememberAnswer(state.judged, requestId, answer) };
  return answer.kind === 'refused' ? judged : lift(judged, message, at);
}

/** Whether the request lifts the lock. */
function judgeUnlock({ lock, queue }: LaneState, { deploymentId, askedAt }: Unlock): UnlockAnswer {
  if (lock === undefined) return { kind: 'refused', sentence: 'this lane is not locked: there is nothing to unlock' };
  if (askedAt < lock.at)
    return {
      kind: 'refused',
      sentence: `the current lock was set after this was asked, by ${describeLock(lock)}: look at it, then unlock again`,
    };
  const waiting = inOrder(queue).find(({ id }) => id === deploymentId);
  const isMeant = deploymentId === undefined || deploymentId === lock.deploymentId;
  if (isMeant || (waiting !== undefined && !passes(waiting, lock))) return { kind: 'unlocked' };
  return {
    kind: 'refused',
    sentence: `this deployment does not wait for the current lock, which was set by ${describeLock(lock)}`,
  };
}

function lift(state: LaneState, message: Signed<Unlock>, at: string): LaneState {
  const { lock } = state;
  if (lock === undefined) return state;
  const mark = marker(lock, message);
  const lifted = { ...lock, unlock: message, liftedAt: at };
  return {
    ...state,
    lock: undefined,
    lifted: [...state.lifted, lifted].slice(-LIFTED_LIMIT),
    running: state.running && mark(state.running),
    queue: markQueue(state.queue, mark),
    ended: state.ended.map(mark),
  };
}

/** Marks the deployment that set the lock, and those that wait for it. One that ran or ended meanwhile did not wait. */
function marker(lock: Lock, unlocked: Signed<Unlock>): (deployment: Deployment) => Deployment {
  return (deployment) => {
    const waited = deployment.progress.status === 'queued' && !passes(deployment, lock);
    return waited || deployment.id === lock.deploymentId ? { ...deployment, unlocked } : deployment;
  };
}

function markQueue({ manual, merged }: Queue, mark: (deployment: Deployment) => Deployment): Queue {
  return { manual: manual.map(mark), merged: merged.map(mark) };
}
