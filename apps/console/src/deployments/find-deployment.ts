/**
 * Puts together what is known about a deployment. A lane that runs is asked, and the deployment's own workflow how far it is;
 * what waits or runs there needs no storage. What ended has a record for good. Where Temporal or the workers do not answer, the
 * lane's record says how things stood.
 */
import { hasEnded, type Deployment, type LaneView, type Progress, type Root, type Unlocked } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';
import { deploymentIn, viewOfRecord, waitIn } from '@nereid/lane';
import type { Context } from '../context.ts';
import type { Asked } from '../temporal/asked.ts';
import { linksOf } from './deployment-links.ts';
import type { DeploymentView, ShownRoot, Source } from './deployment-view.ts';

export type Found =
  | { readonly kind: 'found'; readonly view: DeploymentView }
  | { readonly kind: 'absent' }
  /** Nobody who could know it can be asked. */
  | { readonly kind: 'unavailable' };

type Sources = Pick<
  Context,
  | 'findLane'
  | 'askLane'
  | 'askProgress'
  | 'isTemporalReachable'
  | 'deploymentRecords'
  | 'laneRecords'
  | 'links'
  | 'logger'
>;

/** What a lane, a workflow or a record says of the deployment; the view's other fields follow from it. */
type Knowledge = Omit<DeploymentView, 'id' | 'lane' | 'unavailable' | 'links'>;

export async function findDeployment(sources: Sources, id: string, named: LaneName | undefined): Promise<Found> {
  const lane: Asked<LaneName> = named ? { kind: 'found', value: named } : await sources.findLane(id);
  if (lane.kind !== 'found') return lane;

  const [live, progress] = await Promise.all([sources.askLane(lane.value), sources.askProgress(id)]);
  const { knowledge, isStorageAway } = await lookUp(sources, lane.value, id, live, progress);
  const isLaneSilent = live.kind === 'unavailable';
  if (knowledge === undefined) return { kind: isLaneSilent || isStorageAway ? 'unavailable' : 'absent' };

  const { status } = knowledge.progress;
  const isSilent = isLaneSilent || (progress.kind === 'unavailable' && status !== 'queued');
  const unavailable: Source[] = [
    ...(isSilent && !hasEnded(status) ? [await whoIsAway(sources)] : []),
    ...(isStorageAway ? (['storage'] as const) : []),
  ];
  const links = linksOf(sources.links, id, lane.value, knowledge);
  return { kind: 'found', view: { id, lane: lane.value, ...knowledge, unavailable, links } };
}

interface LookedUp {
  /** Undefined: nobody who answered knows it. */
  readonly knowledge: Knowledge | undefined;
  /** Something that was looked for in storage could not be read. */
  readonly isStorageAway: boolean;
}

async function lookUp(
  sources: Sources,
  lane: LaneName,
  id: string,
  live: Asked<LaneView>,
  progress: Asked<Progress>,
): Promise<LookedUp> {
  const atWork = live.kind === 'found' ? inLane(live.value, id, progress) : undefined;
  if (atWork && !hasEnded(atWork.progress.status)) return { knowledge: atWork, isStorageAway: false };

  // The lane's first: what it has forgotten by then has a record of its own.
  const known = live.kind === 'found' ? live : await askStorage(sources.logger, () => readLane(sources, lane));
  const own = await askStorage(sources.logger, () => sources.deploymentRecords.find(lane, lane.rootName, id));
  const view = known.kind === 'found' ? known.value : undefined;
  const isStorageAway = known.kind === 'unavailable' || own.kind === 'unavailable';
  if (own.kind !== 'found') return { knowledge: view && inLane(view, id, progress), isStorageAway };
  const { deployment, endedAt } = own.value;
  return { knowledge: { ...knowledgeOf(deployment, view), endedAt }, isStorageAway };
}

async function readLane({ laneRecords }: Sources, lane: LaneName): Promise<LaneView | undefined> {
  const stored = await laneRecords.read(lane, lane.rootName);
  return stored && viewOfRecord(stored.record);
}

/** How far a running deployment is, its own workflow knows better than its lane. */
function inLane(lane: LaneView, id: string, progress: Asked<Progress>): Knowledge | undefined {
  const deployment = deploymentIn(lane, id);
  if (deployment === undefined) return undefined;
  if (lane.waiting.includes(deployment)) return { ...knowledgeOf(deployment, lane), ...waitIn(lane, deployment) };
  if (lane.running?.id !== id || progress.kind !== 'found') return knowledgeOf(deployment, lane);
  // The lane knows when it was queued.
  const times = { ...deployment.progress.times, ...progress.value.times };
  return knowledgeOf({ ...deployment, progress: { ...progress.value, times } }, lane);
}

function knowledgeOf({ progress, root, ...deployment }: Deployment, lane: LaneView | undefined): Knowledge {
  const unlocked = progress.status === 'apply-outcome-unknown' ? unlockedOf(deployment.id, lane) : undefined;
  return { deployment: { ...deployment, root: shownRoot(root) }, progress, ...(unlocked && { unlocked }) };
}

/** An unlock comes after the end of the deployment that it is about: the lane knows the last ones. */
function unlockedOf(id: string, lane: LaneView | undefined): Unlocked | undefined {
  const own = lane?.lifted.findLast(({ deploymentId }) => deploymentId === id);
  return own && { by: own.liftedBy, at: own.liftedAt };
}

async function whoIsAway({ isTemporalReachable }: Sources): Promise<Source> {
  return (await isTemporalReachable()) ? 'workers' : 'temporal';
}

function shownRoot({ name, dir, workspace, distribution, terraformVersion, ...root }: Root): ShownRoot {
  const { planReview, onFailure, varFiles } = root;
  return {
    name,
    dir,
    workspace,
    distribution,
    ...(terraformVersion === undefined ? {} : { terraformVersion }),
    planReview,
    onFailure,
    varFiles,
  };
}

async function askStorage<T>(logger: Sources['logger'], question: () => Promise<T | undefined>): Promise<Asked<T>> {
  try {
    const value = await question();
    return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
  } catch (error) {
    logger.error({ err: error }, 'storage could not be read');
    return { kind: 'unavailable' };
  }
}
