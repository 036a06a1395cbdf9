/** Before an apply begins: whoever reaches Temporal can tell a lane that others are done, but storage knows better. */
import type { Deployment } from '@nereid/domain/deployment';
import type { GateFacts } from '@nereid/domain/gates';
import type { RolloutRoot } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import { requireOpenGate } from '../platform/failures/gate-closed.ts';
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

/** Throws unless all deployments took effect for which this one waits. */
export async function verifyDependencies(
  ...asked: readonly [
    context: DependenciesContext,
    repository: Repository,
    deployment: Pick<Deployment, 'root' | 'rollout'>,
    signal?: AbortSignal,
  ]
): Promise<void> {
  requireOpenGate('order', await findOrder(...asked));
}

/** By what storage knows of them. */
async function findOrder(
  context: DependenciesContext,
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
