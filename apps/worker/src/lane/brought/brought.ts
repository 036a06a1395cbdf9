/** What a deployment brings to its root, by its lanes, storage and git. */
import { hasEnded, type Deployment } from '@nereid/domain/deployment';
import { type LaneView, isDeployed } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { commitsSince, type CommitsSince } from './commits-since.ts';
import { REVISIONS_ASKED } from '../../person/ask-contributors.ts';
import type { Brought } from '../../person/contributors.ts';
import { onlyOrdered } from '../verify-orders.ts';
import { viewLane } from '../view-lane.ts';
import type { RevisionTools } from '../../root/revision-tools.ts';

type InContext = Pick<RevisionTools, 'context'>;

type Known = Pick<LaneView, 'ended' | 'waiting' | 'running' | 'latest'>;

/**
 * Under its former name, a root has another lane. Lanes answer over Temporal, where somebody else may answer for them: where one
 * of the deployments that count was not ordered so, or did not end so, other people may have brought it, too.
 */
export async function broughtWith(
  call: RevisionTools,
  repository: Repository,
  deployment: Deployment,
): Promise<Brought> {
  const [byLanes, commits] = await Promise.all([
    broughtByLanes(call, repository, deployment),
    commitsSince(call, repository, deployment),
  ]);
  return { ...withCommits(byLanes, deployment, commits), mayBeProposed: !isOnBranch(deployment) };
}

/** Git knows which of the lane's revisions modify the root: the last commit of a push may not. */
function withCommits(
  { shas, people, hasMore }: Brought,
  { revision }: Pick<Deployment, 'revision'>,
  commits: CommitsSince,
): Brought {
  const all = [...new Set([...commits.touching, ...shas.filter((sha) => !commits.others.has(sha))])];
  return {
    shas: all.length === 0 ? [revision.sha] : all,
    people,
    hasMore: hasMore || commits.hasMore,
  };
}

/** Lanes know who asked. They forget, and somebody else may answer for them, so storage tells who asked for what has ended. */
async function broughtByLanes(call: InContext, repository: Repository, deployment: Deployment): Promise<Brought> {
  const { formerly, root } = deployment;
  const names = [...(formerly ? [formerly.rootName] : []), root.name];
  const [found, stored] = await Promise.all([
    Promise.all(names.map((name) => viewLane(call.context, repository, name))),
    Promise.all(names.map((name) => storedEnds(call, repository, name))),
  ]);
  const lanes = found.flatMap((lane) => lane ?? []);
  const records = new Map(stored.flatMap(({ ended }) => ended).map((one) => [one.id, one]));
  const { deployed, others } = relatedIn([...stored, ...lanes], deployment);
  const counted = [...(deployed ? [deployed] : []), ...others];
  const doubted = await pMap(
    counted,
    async (one) => ((await isSo(call, repository, { said: one, isLimit: one === deployed, records })) ? [] : [one.id]),
    { concurrency: RECORDS_READ },
  );
  const forged = new Set(doubted.flat());
  const brought = broughtIn([...stored, ...lanes.map((lane) => without(lane, forged))], deployment);
  return forged.size === 0 ? brought : { ...brought, hasMore: true };
}

/** As many as a lane remembers. */
const ENDED_READ = 50;

async function storedEnds(
  { context: { deploymentRecords } }: InContext,
  repository: Repository,
  rootName: string,
): Promise<Pick<Known, 'ended' | 'waiting'>> {
  const newestFirst = await deploymentRecords.latest(repository, rootName, ENDED_READ);
  return { ended: newestFirst.map(({ deployment }) => deployment).toReversed(), waiting: [] };
}

const RECORDS_READ = 10;

interface ToBelieve {
  readonly said: Deployment;
  /** Whether all revisions after it count. */
  readonly isLimit: boolean;
  /** By id. */
  readonly records: ReadonlyMap<string, Deployment>;
}

/** Whether it was ordered as the lane says and, for the one after which all revisions count, whether it was deployed. */
async function isSo(
  { context }: InContext,
  repository: Repository,
  { said, isLimit, records }: ToBelieve,
): Promise<boolean> {
  const stored = hasEnded(said.progress.status)
    ? (records.get(said.id) ?? (await context.deploymentRecords.find(repository, said.root.name, said.id))?.deployment)
    : undefined;
  // What is stored was verified before; lanes shorten what has a record, so that its order would not fit.
  if (stored !== undefined) return isAsStored(said, stored) && (!isLimit || isDeployed(stored.progress.status));
  return (await onlyOrdered(context, repository, [{ deployment: said }])).length === 1;
}

/** The facts that decide who brought it. */
function isAsStored(said: Deployment, stored: Deployment): boolean {
  return FACTS.every((fact) => isDeepStrictEqual(said[fact], stored[fact]));
}

const FACTS = ['revision', 'trigger', 'rerun', 'requestedBy', 'requestedById'] as const;

function without({ ended, waiting, running, latest }: Known, ids: ReadonlySet<string>): Known {
  const isLeft = ({ id }: Deployment) => !ids.has(id);
  return {
    ended: ended.filter(isLeft),
    waiting: waiting.filter(isLeft),
    ...(running && isLeft(running) && { running }),
    ...(latest && { latest }),
  };
}

/**
 * The revisions that a deployment brings, by the deployments of its lanes, the current one last. These are its own revision,
 * however often it was deployed, and all revisions of the branch that are newer than the last successful one.
 */
export function broughtIn(lanes: readonly Known[], deployment: Deployment): Brought {
  const { deployed, others } = relatedIn(lanes, deployment);
  const all = [deployment, ...others];
  const shas = [...new Set(all.map(({ revision }) => revision.sha))];
  const isForgotten = deployed === undefined && lanes.some(({ latest }) => latest !== undefined);
  return {
    shas: shas.slice(0, REVISIONS_ASKED),
    people: all.flatMap(({ rerun, requestedBy: login, requestedById: id }) => (rerun ? [] : [{ login, id }])),
    hasMore: isForgotten || shas.length > REVISIONS_ASKED,
  };
}

interface Related {
  /** The last one of the branch that was deployed with success. */
  readonly deployed: Deployment | undefined;
  /** What the deployment brings besides itself. */
  readonly others: readonly Deployment[];
}

function relatedIn(lanes: readonly Known[], deployment: Deployment): Related {
  const all = lanes
    .flatMap(({ ended, waiting, running }) => [...ended, ...waiting, ...(running ? [running] : [])])
    .filter(({ id }) => id !== deployment.id);
  const deployed = all.findLast((other) => isOnBranch(other) && isDeployed(other.progress.status));
  // The position of a head that is deployed by hand is on another branch; the head has all of the branch.
  const limit = isOnBranch(deployment) ? deployment.revision.position : Infinity;
  const isBrought = ({ revision: { position } }: Deployment) =>
    position > (deployed?.revision.position ?? -Infinity) && position <= limit;
  const others = all.filter(
    (other) => other.revision.sha === deployment.revision.sha || (isOnBranch(other) && isBrought(other)),
  );
  return { deployed, others };
}

function isOnBranch({ trigger, rerun }: Deployment): boolean {
  return trigger === 'merge' || rerun;
}
