/** What storage knows of the deployments of a rollout. What of it nobody has signed says so. */
import { hasEnded, type Deployment, type DeploymentRecord, type EndedStatus } from '@nereid/domain/deployment';
import {
  type Rollout,
  type RolloutEnd,
  type RolloutRoot,
  createRolloutGraph,
  type RolloutGraph,
} from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';

export type RolloutContext = Pick<WorkerContext, 'rolloutRecords' | 'deploymentRecords'>;

export type Outcome =
  /** Nobody signs that a deployment was skipped, or that another one carries it. */
  | { readonly kind: 'done'; readonly isUnproven?: true }
  /** It ended without taking effect. */
  | { readonly kind: 'failed'; readonly status: EndedStatus }
  /** It has not ended, as far as storage knows. */
  | { readonly kind: 'open' };

/** A rollout with the ends of its roots. */
export interface RolloutState {
  readonly rollout: Rollout;
  readonly graph: RolloutGraph;
  readonly outcomeOf: (root: RolloutRoot) => Promise<Outcome>;
}

/** A lane knows none of it, though it was ordered: intake stores a rollout before it signals a lane. */
export class RolloutMissingError extends Error {
  override readonly name = 'RolloutMissingError';
  readonly code = 'ROLLOUT_MISSING';

  constructor(id: string) {
    super(`expected the rollout ${id} in storage, found none: somebody removed it; re-run the deployment`);
  }
}

export async function readRollout(context: RolloutContext, repository: Repository, id: string): Promise<RolloutState> {
  const rollout = await context.rolloutRecords.read(repository, id);
  if (rollout === undefined) throw new RolloutMissingError(id);
  const ids = new Set([id, ...rollout.roots.flatMap(({ of }) => of ?? [])]);
  const listed = [...ids].map(async (one) => [one, await context.rolloutRecords.ends(repository, one)] as const);
  const ends = new Map(await Promise.all(listed));
  return {
    rollout,
    graph: createRolloutGraph(rollout.roots),
    outcomeOf: ({ rootName, of = id }) => outcomeOf(context, repository, rootName, ends.get(of)?.get(rootName)),
  };
}

/** So many deployments of a root can end while another waits. */
const RECENT = 20;

/**
 * A lane takes a merge once: the reconciler may have brought it the same revision before the push did, or after. Returns the
 * deployment of the same merge, if storage has it.
 */
export async function findSameMerge(
  { deploymentRecords }: RolloutContext,
  repository: Repository,
  rollout: Rollout,
  rootName: string,
): Promise<Deployment | undefined> {
  if (rollout.isRerun) return undefined;
  const recent = await deploymentRecords.latest(repository, rootName, RECENT);
  return recent.map(({ deployment }) => deployment).find((one) => isOfMerge(one, rollout));
}

/** The last deployments of a root that took effect, as their hosts signed, the newest first. */
export async function deploymentsInEffect(
  { deploymentRecords }: Pick<RolloutContext, 'deploymentRecords'>,
  repository: Repository,
  rootName: string,
): Promise<readonly DeploymentRecord[]> {
  const recent = await deploymentRecords.latest(repository, rootName, RECENT);
  return recent.filter(({ deployment }) => ['succeeded', 'no-changes'].includes(deployment.progress.status));
}

/** The revisions that these brought to the root. */
export async function revisionsDeployed(
  ...asked: Parameters<typeof deploymentsInEffect>
): Promise<ReadonlySet<string>> {
  return new Set((await deploymentsInEffect(...asked)).map(({ deployment }) => deployment.revision.sha));
}

export function isOfMerge({ trigger, revision }: Deployment, rollout: Rollout): boolean {
  return !rollout.isRerun && trigger === 'merge' && revision.sha === rollout.revision;
}

/** Whether a deployment that ended like this lets others go on. */
export function outcomeFor(status: EndedStatus): Outcome {
  if (status === 'skipped') return { kind: 'done', isUnproven: true };
  return status === 'succeeded' || status === 'no-changes' ? { kind: 'done' } : { kind: 'failed', status };
}

/** The same, where another deployment may carry it. */
export async function outcomeOfEnded(
  context: RolloutContext,
  repository: Repository,
  { root, carrier, progress: { status } }: Deployment,
): Promise<Outcome> {
  if (!hasEnded(status)) return { kind: 'open' };
  return carrier ? outcomeOfCarrier(context, repository, root.name, carrier.deploymentId) : outcomeFor(status);
}

/** If it is said to have ended in several ways, the worst counts. */
export async function outcomeOf(
  context: RolloutContext,
  repository: Repository,
  rootName: string,
  ends: readonly RolloutEnd[] = [],
): Promise<Outcome> {
  const outcomes = await Promise.all(
    ends.map(async (end) =>
      end.kind === 'ended' ? outcomeFor(end.status) : outcomeOfCarrier(context, repository, rootName, end.deploymentId),
    ),
  );
  const worst = outcomes.find(({ kind }) => kind === 'failed') ?? outcomes.find(({ kind }) => kind === 'open');
  const unproven = outcomes.find((outcome) => outcome.kind === 'done' && outcome.isUnproven);
  return worst ?? unproven ?? outcomes[0] ?? { kind: 'open' };
}

/** A carrier may have been carried itself; nobody carries for longer than this. */
const CARRIERS = 20;

async function outcomeOfCarrier(
  { deploymentRecords }: RolloutContext,
  repository: Repository,
  rootName: string,
  deploymentId: string,
): Promise<Outcome> {
  let id = deploymentId;
  for (let carriers = 0; carriers < CARRIERS; carriers += 1) {
    const deployment = (await deploymentRecords.find(repository, rootName, id))?.deployment;
    if (deployment === undefined || !hasEnded(deployment.progress.status)) return { kind: 'open' };
    if (deployment.carrier === undefined) {
      const outcome = outcomeFor(deployment.progress.status);
      return outcome.kind === 'done' ? { kind: 'done', isUnproven: true } : outcome;
    }
    id = deployment.carrier.deploymentId;
  }
  return { kind: 'open' };
}
