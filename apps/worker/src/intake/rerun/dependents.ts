/**
 * A re-run goes on from there: it brings the roots that were not started because the re-run one failed. What else they wait for
 * they wait for again, in the deployments that there are.
 */
import { parseCheckRunName } from '@nereid/domain/deployment';
import type { PressedCheckRun } from '@nereid/domain/intake';
import type { RolloutRoot, OrderedRoot } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import { RevisionGoneError } from '@nereid/git';
import { readRollout, revisionsDeployed, RolloutMissingError, type RolloutState } from '../../rollout/outcomes.ts';
import { findDeployment } from '../check-run/known-deployment.ts';
import type { IntakeCall } from '../intake-call.ts';

export interface Dependents {
  /** Roots that were not started, or will not be, because of the re-run one or because of each other. */
  readonly rootNames: readonly string[];
  /** The deployments of the rollout that have not taken effect, by the names of their roots. */
  readonly unfinished: ReadonlyMap<string, OrderedRoot>;
}

const NONE: Dependents = { rootNames: [], unfinished: new Map() };

export async function findDependents(
  call: IntakeCall,
  repository: Repository,
  { name, externalId }: PressedCheckRun,
): Promise<Dependents> {
  const rootName = parseCheckRunName(name) ?? '';
  const deployment = await findDeployment(call, repository, rootName, externalId);
  if (deployment?.rollout === undefined) return NONE;
  const state = await readUnlessGone(call, repository, deployment.rollout);
  if (state === undefined) return NONE;
  return { rootNames: await notStarted(state, rootName), unfinished: await findUnfinished(call, repository, state) };
}

async function readUnlessGone(
  { context }: IntakeCall,
  repository: Repository,
  id: string,
): Promise<RolloutState | undefined> {
  try {
    return await readRollout(context, repository, id);
  } catch (error) {
    if (error instanceof RolloutMissingError) return undefined;
    throw error;
  }
}

/**
 * Roots behind this one that were refused, through refused ones only: the others ended by themselves. While their lanes have not
 * heard of the failure, or have not stored it, they count as refused: none of them can have started.
 */
async function notStarted({ graph, outcomeOf }: RolloutState, from: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const left = [...graph.isAwaitedBy(from)];
  for (let root = left.pop(); root !== undefined; root = left.pop()) {
    if (found.has(root.rootName) || root.rootName === from) continue;
    const outcome = await outcomeOf(root);
    if (outcome.kind === 'done' || (outcome.kind === 'failed' && outcome.status !== 'refused')) continue;
    found.add(root.rootName);
    left.push(...graph.isAwaitedBy(root.rootName));
  }
  return [...found];
}

async function findUnfinished(
  call: IntakeCall,
  repository: Repository,
  { rollout, outcomeOf }: RolloutState,
): Promise<ReadonlyMap<string, OrderedRoot>> {
  const unfinished = new Map<string, OrderedRoot>();
  for (const root of rollout.roots) {
    const { rootName, deploymentId, of = rollout.id } = root;
    if (deploymentId === undefined) continue;
    const { kind } = await outcomeOf(root);
    if (kind === 'done' || (kind === 'failed' && (await wasDeployedSince(call, repository, root, rollout.revision))))
      continue;
    unfinished.set(rootName, { rootName, deploymentId, of });
  }
  return unfinished;
}

/** Whether a deployment of the root took effect that contains the revision. */
async function wasDeployedSince(
  { context, signal }: IntakeCall,
  repository: Repository,
  { rootName }: RolloutRoot,
  sha: string,
): Promise<boolean> {
  for (const head of await revisionsDeployed(context, repository, rootName)) {
    try {
      if (head === sha || (await context.mirrors.isAncestor(repository, sha, head, signal))) return true;
    } catch (error) {
      // Somebody removed the branch of a manual deployment.
      if (!(error instanceof RevisionGoneError)) throw error;
    }
  }
  return false;
}
