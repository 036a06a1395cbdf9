/** Before an apply begins: whoever reaches Temporal can tell a lane that others are done, but storage knows better. */
import { hasEnded, type Deployment, type Repository, type RolloutRoot } from '@nereid/contracts';
import { failedSentence } from './describe.ts';
import {
  findSameMerge,
  outcomeFor,
  readRollout,
  type Outcome,
  type RolloutContext,
  type RolloutState,
} from './outcomes.ts';

/** One of them ended without taking effect. */
class DependencyFailedError extends Error {
  override readonly name = 'DependencyFailedError';
  readonly code = 'DEPENDENCY_FAILED';
}

/** It passes: they end. */
class DependencyOpenError extends Error {
  override readonly name = 'DependencyOpenError';
  readonly code = 'DEPENDENCY_OPEN';

  constructor(rootName: string) {
    super(`this waits for ${rootName}, which has not ended as far as storage knows`);
  }
}

/** Throws unless all deployments took effect for which this one waits. */
export async function verifyDependencies(
  context: RolloutContext,
  repository: Repository,
  { root, rollout }: Pick<Deployment, 'root' | 'rollout'>,
): Promise<void> {
  if (rollout === undefined) return;
  const state = await readRollout(context, repository, rollout);
  for (const dependency of state.graph.waitsFor(root.name)) {
    const outcome = await outcomeIn(context, repository, state, dependency);
    if (outcome.kind === 'failed') throw new DependencyFailedError(failedSentence(dependency.rootName, outcome.status));
    if (outcome.kind === 'open') throw new DependencyOpenError(dependency.rootName);
  }
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
  return same !== undefined && hasEnded(same.progress.status) ? outcomeFor(same.progress.status) : outcome;
}
