/**
 * Lifts the lock of a lane. A button lifts the lock for which its deployment waits, or which it has set. The deployments that
 * waited, and the one that set the lock, show who lifted it.
 */
import { defined } from '../../../defined.ts';
import type { Lock, Unlocked } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { Unlock, UnlockAnswer } from '../../messages.ts';
import type { LaneState } from '../state/lane-state.ts';
import { judgedAnswer, rememberAnswer } from '../queue/judged.ts';
import { describeLock, passes } from '../../../deployment/rules/lock.ts';
import { inOrder, type Queue } from '../queue/queue.ts';
import { LIFTED_LIMIT } from '../queue/lifted.ts';

/** Somebody asks for the lock to be lifted. A repeated request changes nothing and keeps its answer. */
export function unlock(state: LaneState, message: Unlock, at: string): LaneState {
  if (judgedAnswer(state.judged, message.requestId) !== undefined) return state;
  const answer = judgeUnlock(state, message);
  const judged = { ...state, judged: rememberAnswer(state.judged, message.requestId, answer) };
  if (answer.kind === 'refused') return judged;
  return lift(judged, { ...requestedBy(message), at });
}

/** A request that nobody signed lifts the lock, but no check run names the person. */
function requestedBy({ by, byId, askedAt, signature }: Unlock): Omit<Unlocked, 'at'> {
  const isSigned = askedAt !== undefined && signature !== undefined;
  return { by, ...defined({ byId }), ...(isSigned && { proof: { askedAt, signature } }) };
}

/** Whether the request lifts the lock. */
function judgeUnlock({ lock, queue }: LaneState, { deploymentId, askedAt }: Unlock): UnlockAnswer {
  if (lock === undefined) return { kind: 'refused', sentence: 'this lane is not locked: there is nothing to unlock' };
  if (askedAt !== undefined && askedAt < lock.at)
    return {
      kind: 'refused',
      sentence: `the present lock was set after this was asked, by ${describeLock(lock)}: look at it, then unlock again`,
    };
  const waiting = inOrder(queue).find(({ id }) => id === deploymentId);
  const isMeant = deploymentId === undefined || deploymentId === lock.deploymentId;
  if (isMeant || (waiting !== undefined && !passes(waiting, lock))) return { kind: 'unlocked' };
  return {
    kind: 'refused',
    sentence: `this deployment does not wait for the present lock, which was set by ${describeLock(lock)}`,
  };
}

function lift(state: LaneState, unlocked: Unlocked): LaneState {
  const { lock } = state;
  if (lock === undefined) return state;
  const mark = marker(lock, unlocked);
  const { by: liftedBy, byId: liftedById, at: liftedAt, proof: liftedProof } = unlocked;
  const who = { liftedBy, ...defined({ liftedById }), ...(liftedProof && { liftedProof }) };
  const lifted = { ...lock, ...who, liftedAt };
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
function marker(lock: Lock, unlocked: Unlocked): (deployment: Deployment) => Deployment {
  return (deployment) => {
    const waited = deployment.progress.status === 'queued' && !passes(deployment, lock);
    return waited || deployment.id === lock.deploymentId ? { ...deployment, unlocked } : deployment;
  };
}

function markQueue({ manual, merged }: Queue, mark: (deployment: Deployment) => Deployment): Queue {
  return { manual: manual.map(mark), merged: merged.map(mark) };
}
