/** A revision comes in, to be deployed: it waits, unless the lane has seen it or its queue is full. */
import type { Lock } from '../../../deployment/lock.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { DeploymentRequest } from '../../../deployment/request.ts';
import { advanced, queuedProgress } from '../../../deployment/rules/progress.ts';
import { unlessLifted } from '../queue/lifted.ts';
import { enqueue, length } from '../queue/queue.ts';
import { isSeen, remember } from '../queue/seen.ts';
import { withEnded } from '../state/ended.ts';
import { deploymentsOf, type LaneState } from '../state/lane-state.ts';

/** A revision came in. A request that was seen before changes nothing; one that finds the queue full ends at once. */
export function receive(state: LaneState, request: DeploymentRequest, id: string, at: string): LaneState {
  if (isKnown(state, request)) return state;
  const deployment: Deployment = { ...request, id, receivedAt: at, progress: queuedProgress(at), checkRuns: [] };
  const known = { ...state, lock: lockOf(state, request), seen: remember(state.seen, request) };

  const enqueued = enqueue(known.queue, deployment);
  if (enqueued.kind === 'full') {
    const sentence = `The queue of this root is full: ${length(known.queue)} deployments wait. Deploy again when it is shorter.`;
    return withEnded(known, [advanced(deployment, 'refused', at, sentence)], at);
  }
  return { ...known, queue: enqueued.queue };
}

/** A lane that never deployed has the lock of the lane that its root had under another name, until somebody lifts it. */
function lockOf({ lock, latest, lifted }: LaneState, { formerly }: DeploymentRequest): Lock | undefined {
  return lock ?? (latest === undefined ? unlessLifted(formerly?.lock, lifted) : undefined);
}

/** Whether the request was seen lately, or its deployment is still here, however much was seen since. */
function isKnown(state: LaneState, request: DeploymentRequest): boolean {
  return isSeen(state.seen, request) || deploymentsOf(state).some(({ requestId }) => requestId === request.requestId);
}
