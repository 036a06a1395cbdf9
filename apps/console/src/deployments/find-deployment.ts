/**
 * Puts together what is known about a deployment. One that ended has a record for good; one that has not stands in the
 * record of its lane, which is at most a second or two behind. Workflows are never asked: a question in the middle of
 * their work may disturb it.
 */
import { setTimeout } from 'node:timers/promises';
import { hasEnded, type Deployment, type LaneRecord, type Root, type Unlocked } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';
import type { Context } from '../context.ts';
import type { Asked } from '../temporal/find-lane.ts';
import { linksOf } from './deployment-links.ts';
import type { DeploymentView, ShownRoot, Source } from './deployment-view.ts';

export type Found =
  | { readonly kind: 'found'; readonly view: DeploymentView }
  | { readonly kind: 'absent' }
  /** Nobody who could know it can be asked. */
  | { readonly kind: 'unavailable' };

type Sources = Pick<
  Context,
  'findLane' | 'isTemporalReachable' | 'deploymentRecords' | 'laneRecords' | 'links' | 'logger'
>;

/** What a record contributes; the view's other fields follow from it. */
type Knowledge = Omit<DeploymentView, 'id' | 'lane' | 'unavailable' | 'links'>;

/** A check run is seen a moment before the lane's record knows what it is about. */
const LOOKS = 4;
const PAUSE_MS = 500;

export async function findDeployment(sources: Sources, id: string, named: LaneName | undefined): Promise<Found> {
  const lane: Asked<LaneName> = named ? { kind: 'found', value: named } : await sources.findLane(id);
  if (lane.kind !== 'found') return lane;

  const known = await lookFor(sources, lane.value, id);
  if (known.kind !== 'found') return known;
  const { knowledge, isStorageAway } = known.value;
  const isOver = hasEnded(knowledge.progress.status);
  const unavailable: Source[] = [
    ...(isOver || (await sources.isTemporalReachable()) ? [] : (['temporal'] as const)),
    ...(isStorageAway ? (['storage'] as const) : []),
  ];
  const links = linksOf(sources.links, id, lane.value, knowledge.deployment);
  return { kind: 'found', view: { id, lane: lane.value, ...knowledge, unavailable, links } };
}

interface Records {
  readonly knowledge: Knowledge;
  /** One of the records could not be read. */
  readonly isStorageAway: boolean;
}

async function lookFor(sources: Sources, lane: LaneName, id: string): Promise<Asked<Records>> {
  for (let look = 1; ; look += 1) {
    const found = await fromRecords(sources, lane, id);
    if (found.kind !== 'absent' || look === LOOKS) return found;
    await setTimeout(PAUSE_MS);
  }
}

/** The lane's first: what it has forgotten by then has a record of its own. */
async function fromRecords(sources: Sources, lane: LaneName, id: string): Promise<Asked<Records>> {
  const inLane = await askStorage(sources.logger, async () => {
    const stored = await sources.laneRecords.read(lane, lane.rootName);
    return stored?.record;
  });
  const own = await askStorage(sources.logger, () => sources.deploymentRecords.find(lane, lane.rootName, id));

  const record = inLane.kind === 'found' ? inLane.value : undefined;
  const knowledge =
    own.kind === 'found'
      ? { ...knowledgeOf(own.value.deployment, record), endedAt: own.value.endedAt }
      : record && knowledgeInLane(record, id);
  const isStorageAway = inLane.kind === 'unavailable' || own.kind === 'unavailable';
  if (knowledge === undefined) return { kind: isStorageAway ? 'unavailable' : 'absent' };
  return { kind: 'found', value: { knowledge, isStorageAway } };
}

function knowledgeInLane(record: LaneRecord, id: string): Knowledge | undefined {
  const { running, manual, merged, ended = [], lock } = record;
  const waiting = [...manual, ...merged];
  const ahead = waiting.findIndex((deployment) => deployment.id === id);
  const found = waiting[ahead];
  if (found) {
    return { ...knowledgeOf(found, record), ahead: ahead + (running ? 1 : 0), ...(lock && { lock }) };
  }
  const other = [running, ...ended].find((deployment) => deployment?.id === id);
  return other && knowledgeOf(other, record);
}

function knowledgeOf({ progress, root, ...deployment }: Deployment, lane: LaneRecord | undefined): Knowledge {
  const unlocked = progress.status === 'apply-outcome-unknown' ? unlockedOf(deployment.id, lane) : undefined;
  return { deployment: { ...deployment, root: shownRoot(root) }, progress, ...(unlocked && { unlocked }) };
}

/** An unlock comes after the end of the deployment that it is about: the lane's record knows the last ones. */
function unlockedOf(id: string, lane: LaneRecord | undefined): Unlocked | undefined {
  const own = lane?.lifted?.findLast(({ deploymentId }) => deploymentId === id);
  return own && { by: own.liftedBy, at: own.liftedAt };
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
