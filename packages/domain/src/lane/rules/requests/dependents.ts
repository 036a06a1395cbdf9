/**
 * Deployments that wait in the queue for others of the same revision, in other lanes.
 *
 * They keep their place on the branch: no later merge passes one of them, but manual deployments do. The lane asks about those
 * whose turn could come, when they come, and whenever somebody says that something has changed. Once their dependencies are
 * done, they are ready, and stay so. If one of them failed, the deployment is refused.
 */
import { defined } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { DependenciesFound, DependentDeployment } from '../../../rollout/model.ts';
import { advanced } from '../../../deployment/rules/progress.ts';
import { inOrder, newest, update, type Queue } from '../queue/queue.ts';
import { isHeld, type InRollout, type LaneState } from '../state/lane-state.ts';
import { withEnded } from '../state/ended.ts';

type Waiting = Pick<LaneState, 'queue' | 'ready'>;

/** For one activity. If there are more, those at the front go first, and then the others are asked about. */
const DEPENDENTS_LIMIT = 20;

/** The waiting deployments to ask about. The newest waits for what all those wait for that go with it. */
export function dependentsIn(state: Waiting): readonly DependentDeployment[] {
  const { manual, merged } = state.queue;
  const nextOnes = newest(state.queue) === undefined ? merged.slice(0, 1) : merged;
  return [...manual, ...nextOnes]
    .filter((deployment) => isHeld(state, deployment))
    .slice(0, DEPENDENTS_LIMIT)
    .map(dependentOf);
}

function dependentOf({ id, root, rollout, progress }: InRollout): DependentDeployment {
  return { deploymentId: id, rootName: root.name, rollout, shown: progress.reason ?? null };
}

/** Takes the answer for a deployment, if that still waits. */
export function updateDependent(state: LaneState, id: string, found: DependenciesFound, at: string): LaneState {
  const deployment = inOrder(state.queue).find((waiting) => waiting.id === id);
  if (deployment === undefined || !isHeld(state, deployment)) return state;
  switch (found.kind) {
    case 'ready': {
      const waiting = new Set(inOrder(state.queue).map((one) => one.id));
      const ready = [...state.ready.filter((one) => waiting.has(one)), id];
      return { ...state, ready, queue: withReason(state.queue, deployment, undefined) };
    }
    case 'waiting':
      return { ...state, queue: withReason(state.queue, deployment, found.clause) };
    case 'failed':
      return withEnded(state, [advanced(deployment, 'refused', at, found.sentence)], at);
  }
}

function withReason(queue: Queue, { id, progress }: Deployment, reason: string | undefined): Queue {
  if (progress.reason === reason) return queue;
  return update(queue, id, (deployment) => {
    const { reason: _before, ...rest } = deployment.progress;
    return { ...deployment, progress: { ...rest, ...defined({ reason }) } };
  });
}
