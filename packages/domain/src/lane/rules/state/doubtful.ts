/**
 * Waiting deployments that may have ended. Another writer's record has seen them, and they neither run nor wait there: Temporal was
 * restored from a backup of the time when they waited. The lane asks how they ended before it begins anything: otherwise a rejected
 * one would be planned again, and a manual one would lock the lane again. Pure.
 */
import type { Deployment } from '../../../deployment/model.ts';
import type { Progress } from '../../../deployment/progress.ts';
import type { LaneRecord } from '../../record.ts';
import { inOrder, type Queue } from '../queue/queue.ts';
import type { LaneState } from './lane-state.ts';
import { withEnded } from './ended.ts';

/** Returns ids. */
export function doubtfulIn(queue: Queue, { seen, running, manual, merged }: LaneRecord): readonly string[] {
  const seenThere = new Set(seen.requestIds);
  const there = new Set([...(running ? [running] : []), ...manual, ...merged].map(({ requestId }) => requestId));
  return inOrder(queue)
    .filter(({ requestId }) => seenThere.has(requestId) && !there.has(requestId))
    .map(({ id }) => id);
}

/** The one to ask about. One that was cancelled meanwhile waits no more. */
export function firstDoubtful(queue: Queue, ids: readonly string[]): Deployment | undefined {
  return inOrder(queue).find(({ id }) => ids.includes(id));
}

/** The record that was joined has what the deployment left behind, among it the lock and the latest deployment. */
export function endAsThere(state: LaneState, waiting: Deployment, progress: Progress, at: string): LaneState {
  const times = { ...waiting.progress.times, ...progress.times };
  return { ...withEnded(state, [{ ...waiting, progress: { ...progress, times } }], at), undeployed: state.undeployed };
}
