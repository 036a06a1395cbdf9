/** Before an apply begins: whoever reaches Temporal can tell a lane that others are done, but storage knows better. */
import type { Deployment } from '@nereid/domain/deployment';
import type { RolloutRoot } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { TurnContext } from '../lane/turn/turn.ts';
import { failedSentence } from './describe.ts';
import {
  findSameMerge,
  outcomeOfEnded,
  readRollout,
  revisionsDeployed,
  type Outcome,
  type RolloutContext,
  type RolloutState,
} from './outcomes.ts';

type DependenciesContext = RolloutContext & Pick<TurnContext, 'mirrors' | 'forge'>;

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
  context: DependenciesContext,
  repository: Repository,
  { root, rollout }: Pick<Deployment, 'root' | 'rollout'>,
  signal?: AbortSignal,
): Promise<void> {
  if (rollout === undefined) return;
  const state = await readRollout(context, repository, rollout);
  for (const dependency of state.graph.waitsFor(root.name)) {
    const { rootName } = dependency;
    const outcome = await outcomeIn(context, repository, state, dependency);
    if (outcome.kind === 'failed') throw new DependencyFailedError(failedSentence(rootName, outcome.status));
    if (outcome.kind === 'open') throw new DependencyOpenError(rootName);
    const place = { repository, rootName, sha: state.rollout.revision };
    if (outcome.isUnproven && !(await isDeployed(context, place, signal)))
      throw new DependencyFailedError(
        `${rootName} is said to be deployed already, and storage knows of no deployment with this commit: press Re-run on ${rootName}`,
      );
  }
}

interface DeployedPlace {
  readonly repository: Repository;
  readonly rootName: string;
  readonly sha: string;
}

/** Whether a deployment of the root took effect, as its host signed, that contains the commit. */
async function isDeployed(
  context: DependenciesContext,
  { repository, rootName, sha }: DeployedPlace,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { mirrors, forge } = context;
  for (const head of await revisionsDeployed(context, repository, rootName)) {
    if (head === sha) return true;
    const known = await mirrors.isKnownAncestor(repository, sha, head, signal);
    if (known ?? (await forge.commits.compare(repository, sha, head)) === 'ahead') return true;
  }
  return false;
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
