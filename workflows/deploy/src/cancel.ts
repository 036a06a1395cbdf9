/** Somebody asks for the end of a deployment: one that waits leaves the queue, one that runs is asked to end gracefully. */
import { hasEnded, type Cancel, type CancelAnswer, type Deployment } from '@nereid/contracts';
import { withEnded } from './ended.ts';
import { askToEnd, find, type LaneState } from './lane-state.ts';
import { advanced } from './progress.ts';
import { inOrder } from './queue.ts';

/** What comes of it. The same request again gets the same answer. */
export function judgeCancel(state: LaneState, { deploymentId }: Cancel): CancelAnswer {
  const deployment = find(state, deploymentId);
  if (deployment === undefined) return { kind: 'refused', sentence: 'this lane does not know the deployment' };
  if (isWaiting(state, deploymentId)) return { kind: 'cancelled' };
  const { status } = deployment.progress;
  if (!hasEnded(status)) return { kind: 'cancelling' };
  if (status === 'cancelled' && deployment.cancellation !== undefined) return { kind: 'cancelled' };
  return { kind: 'refused', sentence: `it has ended already: ${status}` };
}

export function cancel(state: LaneState, { deploymentId, by }: Cancel, at: string): LaneState {
  if (state.running?.id === deploymentId) return askToEnd(state, { by, at });
  const waiting = inOrder(state.queue).find(({ id }) => id === deploymentId);
  if (waiting === undefined) return state;
  return withEnded(state, [cancelled(waiting, by, at)], at);
}

function cancelled(deployment: Deployment, by: string, at: string): Deployment {
  return { ...advanced(deployment, 'cancelled', at, `Cancelled by @${by}`), cancellation: { by, at } };
}

function isWaiting(state: LaneState, deploymentId: string): boolean {
  return inOrder(state.queue).some(({ id }) => id === deploymentId);
}
