/** Somebody asks for the end of a deployment: a waiting one leaves the queue, a running one is asked to end gracefully. */
import type { Cancel, Deployment } from '../../../deployment/model.ts';
import { hasEnded } from '../../../deployment/status.ts';
import type { Signed } from '../../../signed.ts';
import type { CancelAnswer } from '../../messages.ts';
import { find, type LaneState } from '../state/lane-state.ts';
import { withEnded } from '../state/ended.ts';
import { askToEnd } from '../state/running.ts';
import { judgedAnswer, rememberAnswer } from '../queue/judged.ts';
import { inOrder } from '../queue/queue.ts';
import { advanced } from '../../../deployment/rules/progress.ts';

/** A repeated request changes nothing and keeps its answer. */
export function cancel(state: LaneState, message: Signed<Cancel>, at: string): LaneState {
  const { requestId } = message.body;
  if (judgedAnswer(state.judged, requestId) !== undefined) return state;
  const answer = judgeCancel(state, message.body);
  const judged = { ...state, judged: rememberAnswer(state.judged, requestId, answer) };
  return answer.kind === 'refused' ? judged : end(judged, message, at);
}

function judgeCancel(state: LaneState, { deploymentId }: Cancel): CancelAnswer {
  const deployment = find(state, deploymentId);
  if (deployment === undefined) return { kind: 'refused', sentence: 'this lane does not know the deployment' };
  if (isWaiting(state, deploymentId)) return { kind: 'cancelled' };
  const { status } = deployment.progress;
  if (!hasEnded(status)) return { kind: 'cancelling' };
  if (status === 'cancelled' && deployment.cancellation !== undefined) return { kind: 'cancelled' };
  return { kind: 'refused', sentence: `it has ended already: ${status}` };
}

function end(state: LaneState, message: Signed<Cancel>, at: string): LaneState {
  const { deploymentId } = message.body;
  if (state.running?.id === deploymentId) return askToEnd(state, message, at);
  const waiting = inOrder(state.queue).find(({ id }) => id === deploymentId);
  return waiting === undefined ? state : withEnded(state, [cancelled(waiting, message, at)], at);
}

function cancelled(deployment: Deployment, cancellation: Signed<Cancel>, at: string): Deployment {
  return { ...advanced(deployment, 'cancelled', at, `Cancelled by @${cancellation.body.by}`), cancellation };
}

function isWaiting(state: LaneState, deploymentId: string): boolean {
  return inOrder(state.queue).some(({ id }) => id === deploymentId);
}
