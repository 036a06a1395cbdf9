/** Before an apply begins: whoever reaches Temporal can tell a lane that others are done, but storage knows better. */
import type { Deployment } from '@nereid/domain/deployment';
import type { GateFacts } from '@nereid/domain/gates';
import type { RolloutRoot } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import { requireOpenGate } from '../platform/failures/gate-closed.ts';
import { isDeployed, type DeployedContext } from './deployed-at.ts';
import { failedSentence } from './describe.ts';
import {
  findSameMerge,
  outcomeOfEnded,
  readRollout,
  type Outcome,
  type RolloutContext,
  type RolloutState,
} from './outcomes.ts';

/** Throws unless all deployments took effect for which this one waits. */
export async function verifyDependencies(
  ...asked: readonly [
    context: DeployedContext,
    repository: Repository,
    deployment: Pick<Deployment, 'root' | 'rollout'>,
    signal?: AbortSignal,
  ]
): Promise<void> {
  requireOpenGate('order', await findOrder(...asked));
}

/** By what storage knows of them. */
async function findOrder(
  context: DeployedContext,
  repository: Repository,
  { root, rollout }: Pick<Deployment, 'root' | 'rollout'>,
  signal?: AbortSignal,
): Promise<GateFacts['order']> {
  if (rollout === undefined) return { kind: 'ready' };
  const state = await readRollout(context, repository, rollout);
  for (const dependency of state.graph.waitsFor(root.name)) {
    const { rootName } = dependency;
    const outcome = await outcomeIn(context, repository, state, dependency);
    if (outcome.kind === 'failed') return { kind: 'failed', sentence: failedSentence(rootName, outcome.status) };
    if (outcome.kind === 'open')
      return { kind: 'waiting', sentence: `this waits for ${rootName}, which has not ended as far as storage knows` };
    const place = { repository, rootName, sha: state.rollout.revision };
    if (outcome.isUnproven && !(await isDeployed(context, place, signal)))
      return {
        kind: 'failed',
        sentence: `${rootName} is said to be deployed already, and storage knows of no deployment with this commit: press Re-run on ${rootName}`,
      };
  }
  return { kind: 'ready' };
}

async function outcomeIn(
  context: RolloutContext,
  repository: Repository,
  { rollout, outcomeOf }: RolloutState,
  root: RolloutRoot,
): Promise<Outcome> {
  const outcome = await outcomeOf(root);
  if (outcome.kind !== 'open') return outcome;
  const same = await findSameMerge(context, repository, rollout, root.rootName);
  return same === undefined ? outcome : outcomeOfEnded(context, repository, same);
}
