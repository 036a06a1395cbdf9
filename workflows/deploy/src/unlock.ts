/**
 * Lifting the lock of a lane: a button lifts the lock for which its deployment waits, or which it has set. Whoever waited,
 * and who set it, is told who lifted it.
 */
import type { Deployment, LiftedLock, Lock, Unlock, UnlockAnswer, Unlocked } from '@nereid/contracts';
import type { LaneState } from './lane-state.ts';
import { describeLock, passes } from './lock.ts';
import { inOrder, type Queue } from './queue.ts';
import { isRequestSeen, rememberRequest } from './seen.ts';

/** How many lifted locks a lane remembers, for deployments that it has forgotten. */
export const LIFTED_LIMIT = 20;

/** Whether a lock is lifted by this. */
export function judgeUnlock(state: LaneState, { requestId, deploymentId }: Unlock): UnlockAnswer {
  const { lock } = state;
  if (isRequestSeen(state.seen, requestId)) return { kind: 'unlocked' };
  if (lock === undefined) return { kind: 'refused', sentence: 'this lane is not locked: there is nothing to unlock' };
  const waiting = inOrder(state.queue).find(({ id }) => id === deploymentId);
  const isMeant = deploymentId === undefined || deploymentId === lock.deploymentId;
  if (isMeant || (waiting !== undefined && !passes(waiting, lock))) return { kind: 'unlocked' };
  return {
    kind: 'refused',
    sentence: `this deployment does not wait for the lock of now, which is by ${describeLock(lock)}`,
  };
}

/** Somebody lifts the lock, if that may be. The same request again lifts no lock that was set since. */
export function unlock(state: LaneState, message: Unlock, at: string): LaneState {
  const { lock } = state;
  const { requestId, by } = message;
  if (lock === undefined || isRequestSeen(state.seen, requestId)) return state;
  if (judgeUnlock(state, message).kind === 'refused') return state;
  const mark = marker(lock, { by, at });
  return {
    ...state,
    lock: undefined,
    lifted: [...state.lifted, { ...lock, liftedBy: by, liftedAt: at }].slice(-LIFTED_LIMIT),
    running: state.running && mark(state.running),
    queue: markQueue(state.queue, mark),
    ended: state.ended.map(mark),
    seen: rememberRequest(state.seen, requestId),
  };
}

/** What two writers know of lifted locks, in order. */
export function joinLifted(one: readonly LiftedLock[], other: readonly LiftedLock[]): readonly LiftedLock[] {
  const added = other.filter((lock) => !one.some((known) => isSameLock(known, lock)));
  if (added.length === 0) return one;
  return [...one, ...added].toSorted((a, b) => (a.liftedAt < b.liftedAt ? -1 : 1)).slice(-LIFTED_LIMIT);
}

/** A lock that another writer still knows, unless somebody has lifted it here. */
export function unlessLifted(lock: Lock | undefined, lifted: readonly LiftedLock[]): Lock | undefined {
  return lock === undefined || lifted.some((known) => isSameLock(known, lock)) ? undefined : lock;
}

function isSameLock(one: Lock, other: Lock): boolean {
  return one.deploymentId === other.deploymentId && one.kind === other.kind && one.at === other.at;
}

/** Marks who set the lock and who waits for it. What ran or ended meanwhile did not wait. */
function marker(lock: Lock, unlocked: Unlocked): (deployment: Deployment) => Deployment {
  return (deployment) => {
    const waited = deployment.progress.status === 'queued' && !passes(deployment, lock);
    return waited || deployment.id === lock.deploymentId ? { ...deployment, unlocked } : deployment;
  };
}

function markQueue({ manual, merged }: Queue, mark: (deployment: Deployment) => Deployment): Queue {
  return { manual: manual.map(mark), merged: merged.map(mark) };
}
