/** Lifting the lock of a lane: a button lifts the lock that its deployment waits for or has set, and no newer one. */
import type { Deployment, LiftedLock, Lock, Unlock, UnlockAnswer, Unlocked } from '@nereid/contracts';
import type { LaneState } from './lane-state.ts';
import { describeLock, passes } from './lock.ts';
import { inOrder } from './queue.ts';
import { isRequestSeen, rememberRequest } from './seen.ts';

/** Whether a lock is lifted by this. */
export function judgeUnlock(state: LaneState, { requestId, deploymentId }: Unlock, at: string): UnlockAnswer {
  const { lock } = state;
  if (isRequestSeen(state.seen, requestId)) return { kind: 'unlocked', at: state.lifted?.liftedAt ?? at };
  if (lock === undefined) return { kind: 'refused', sentence: 'this lane is not locked: there is nothing to unlock' };
  const waiting = inOrder(state.queue).find(({ id }) => id === deploymentId);
  const isMeant = deploymentId === undefined || deploymentId === lock.deploymentId;
  if (isMeant || (waiting !== undefined && !passes(waiting, lock))) return { kind: 'unlocked', at };
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
  if (judgeUnlock(state, message, at).kind === 'refused') return state;
  const lifted: LiftedLock = { ...lock, liftedBy: by, liftedAt: at };
  return { ...state, lock: undefined, lifted, seen: rememberRequest(state.seen, requestId) };
}

/** Who lifted the lock that this deployment set, or for which it waited. */
export function unlockedFor(deployment: Deployment, lifted: LiftedLock | undefined): Unlocked | undefined {
  if (lifted === undefined) return undefined;
  const waited = deployment.receivedAt < lifted.liftedAt && wouldWait(deployment, lifted);
  return deployment.id === lifted.deploymentId || waited ? { by: lifted.liftedBy, at: lifted.liftedAt } : undefined;
}

/** What was popped before the lock was lifted did not wait for it. */
function wouldWait(deployment: Deployment, lifted: Lock & { readonly liftedAt: string }): boolean {
  const beganAt = deployment.progress.times.preparing;
  return !passes(deployment, lifted) && (beganAt === undefined || beganAt >= lifted.liftedAt);
}
