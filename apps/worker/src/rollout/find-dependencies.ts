/** What is known of the deployments for which others wait: from storage whether they are done, from Temporal how far they are. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { hasEnded, type Deployment, type EndedStatus, type Lock } from '@nereid/domain/deployment';
import { type LaneView, deploymentIn } from '@nereid/domain/lane';
import {
  type DependenciesFound,
  type DependentDeployment,
  type Rollout,
  type RolloutRoot,
  NAMED,
  waitsClause,
  type AwaitedRoot,
} from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { WorkerContext } from '../platform/context.ts';
import { viewLane, withProgress } from '../lane/view-lane.ts';
import { awaitedClause, failedSentence } from './describe.ts';
import {
  findSameMerge,
  isOfMerge,
  outcomeOfEnded,
  readRollout,
  RolloutMissingError,
  type RolloutState,
} from './outcomes.ts';

type FindContext = Pick<WorkerContext, 'rolloutRecords' | 'deploymentRecords' | 'laneRecords' | 'temporal' | 'logger'>;

/** The activity `findDependencies`. */
export async function findDependencies(
  context: FindContext,
  repository: Repository,
  dependents: readonly DependentDeployment[],
): Promise<readonly DependenciesFound[]> {
  const found: DependenciesFound[] = [];
  // One after the other: most often there is one, and those of one rollout look at the same records.
  for (const dependent of dependents) found.push(await findFor(context, repository, dependent));
  const isNews = found.some((one, index) => one.kind !== 'waiting' || one.clause !== dependents[index]?.shown);
  if (isNews) return found;
  throw ApplicationFailure.create({
    message: 'what other lanes have to deploy first is as it was',
    type: 'UNCHANGED',
    category: ApplicationFailureCategory.BENIGN,
  });
}

async function findFor(
  context: FindContext,
  repository: Repository,
  { rootName, rollout: id }: DependentDeployment,
): Promise<DependenciesFound> {
  const state = await readState(context, repository, id);
  if (state.kind === 'missing') return { kind: 'failed', sentence: state.sentence };
  const roots = state.graph.waitsFor(rootName);
  const outcomes = await Promise.all(roots.map((root) => state.outcomeOf(root)));
  const failed = outcomes.findIndex(({ kind }) => kind === 'failed');
  const failedRoot = roots[failed];
  if (failedRoot !== undefined) return failedBecauseOf(state, failedRoot);
  const open = roots.filter((_root, index) => outcomes[index]?.kind === 'open');
  return describeOpen(context, repository, state.rollout, open);
}

type Read = ({ readonly kind: 'read' } & RolloutState) | { readonly kind: 'missing'; readonly sentence: string };

async function readState(context: FindContext, repository: Repository, id: string): Promise<Read> {
  try {
    return { kind: 'read', ...(await readRollout(context, repository, id)) };
  } catch (error) {
    if (!(error instanceof RolloutMissingError)) throw error;
    context.logger.error({ err: error, repository }, 'a rollout is not in storage: its deployments are refused');
    return { kind: 'missing', sentence: 'The reason for this wait is no longer known. Press Re-run.' };
  }
}

/** The one that failed first may be several roots away: those in between were refused because of it. */
async function failedBecauseOf({ graph, outcomeOf }: RolloutState, failed: RolloutRoot): Promise<DependenciesFound> {
  let cause = failed;
  let outcome = await outcomeOf(cause);
  const seen = new Set<string>();
  while (outcome.kind === 'failed' && outcome.status === 'refused' && !seen.has(cause.rootName)) {
    seen.add(cause.rootName);
    const before = await firstFailed(graph.waitsFor(cause.rootName), outcomeOf);
    if (before === undefined) break;
    cause = before;
    outcome = await outcomeOf(cause);
  }
  const status = outcome.kind === 'failed' ? outcome.status : 'refused';
  return { kind: 'failed', sentence: failedSentence(cause.rootName, status) };
}

async function firstFailed(
  roots: readonly RolloutRoot[],
  outcomeOf: RolloutState['outcomeOf'],
): Promise<RolloutRoot | undefined> {
  for (const root of roots) if ((await outcomeOf(root)).kind === 'failed') return root;
  return undefined;
}

/** Looks at so many as are named. One that turns out to be done, because its lane has the revision from elsewhere, is not. */
async function describeOpen(
  context: FindContext,
  repository: Repository,
  rollout: Rollout,
  open: readonly RolloutRoot[],
): Promise<DependenciesFound> {
  const named: AwaitedRoot[] = [];
  let done = 0;
  for (const root of open) {
    if (named.length === NAMED) break;
    const seen = await lookAt(context, repository, rollout, root);
    if (seen.kind === 'failed') return { kind: 'failed', sentence: failedSentence(root.rootName, seen.status) };
    if (seen.kind === 'done') done += 1;
    else named.push({ rootName: root.rootName, clause: seen.clause });
  }
  if (named.length === 0) return { kind: 'ready' };
  return { kind: 'waiting', clause: waitsClause(named, open.length - done) };
}

type Seen =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly status: EndedStatus | 'lost' }
  | { readonly kind: 'waiting'; readonly clause: string };

/** Intake signals all lanes of a revision within minutes, or is tried again. */
const LOST_MS = 3_600_000;

async function lookAt(
  context: FindContext,
  repository: Repository,
  rollout: Rollout,
  { rootName, deploymentId = '' }: RolloutRoot,
): Promise<Seen> {
  const view = await viewLane(context, repository, rootName);
  const own = view && deploymentIn(view, deploymentId);
  // Its end is stored within moments, and everybody who waits for it is told then.
  if (own) return { kind: 'waiting', clause: awaitedClause(await withNewest(context, view, own), view.lock) };
  const inLane = view && [...(view.running ? [view.running] : []), ...view.waiting, ...view.ended];
  const same =
    inLane?.find((one) => isOfMerge(one, rollout)) ?? (await findSameMerge(context, repository, rollout, rootName));
  if (same) return seen(context, repository, await withNewest(context, view, same), view?.lock);
  const isLost = Date.now() - Date.parse(rollout.orderedAt) > LOST_MS;
  return isLost ? { kind: 'failed', status: 'lost' } : { kind: 'waiting', clause: 'which has not reached its queue' };
}

async function withNewest(
  context: FindContext,
  view: LaneView | undefined,
  deployment: Deployment,
): Promise<Deployment> {
  return view?.running?.id === deployment.id ? withProgress(context, deployment) : deployment;
}

async function seen(
  context: FindContext,
  repository: Repository,
  deployment: Deployment,
  lock: Lock | undefined,
): Promise<Seen> {
  if (!hasEnded(deployment.progress.status)) return { kind: 'waiting', clause: awaitedClause(deployment, lock) };
  const outcome = await outcomeOfEnded(context, repository, deployment);
  return outcome.kind === 'open' ? { kind: 'waiting', clause: 'which another deployment carries' } : outcome;
}
