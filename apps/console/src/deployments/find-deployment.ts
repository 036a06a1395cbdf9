/**
 * Puts together what is known about a deployment. One that ended is in storage for good; one that has not is known to
 * its lane's workflow, and most freshly to its own. When Temporal is away, the lane's record says how things stood.
 */
import {
  hasEnded,
  type Deployment,
  type LaneRecord,
  type LaneView,
  type Progress,
  type Root,
  type Unlocked,
} from '@nereid/contracts';
import type { LaneName } from '@nereid/github';
import type { Context } from '../context.ts';
import type { Asked } from '../temporal/workflow-reader.ts';
import { linksOf } from './deployment-links.ts';
import type { DeploymentView, ShownRoot, Source } from './deployment-view.ts';

export type Found =
  | { readonly kind: 'found'; readonly view: DeploymentView }
  | { readonly kind: 'absent' }
  /** Nobody who could know it can be asked. */
  | { readonly kind: 'unavailable' };

type Sources = Pick<Context, 'workflows' | 'deploymentRecords' | 'laneRecords' | 'links' | 'logger'>;

/** What one source contributes; the view's other fields follow from it. */
type Knowledge = Omit<DeploymentView, 'id' | 'lane' | 'unavailable' | 'links'>;

export async function findDeployment(sources: Sources, id: string, named: LaneName | undefined): Promise<Found> {
  const lane: Asked<LaneName> = named ? { kind: 'found', value: named } : await sources.workflows.laneOf(id);
  if (lane.kind !== 'found') return lane;

  const stored = await fromRecords(sources, lane.value, id);
  const running = stored.kind === 'found' ? stored : await fromTemporal(sources, lane.value, id);
  const known = running.kind === 'unavailable' ? await fromLaneRecord(sources, lane.value, id) : running;
  if (known.kind !== 'found') {
    const isSomethingAway = [stored, running, known].some(({ kind }) => kind === 'unavailable');
    return { kind: isSomethingAway ? 'unavailable' : 'absent' };
  }

  const unavailable: Source[] = [
    ...(running.kind === 'unavailable' ? (['temporal'] as const) : []),
    ...(stored.kind === 'unavailable' ? (['storage'] as const) : []),
  ];
  const links = linksOf(sources.links, id, lane.value, known.value.deployment);
  return { kind: 'found', view: { id, lane: lane.value, ...known.value, unavailable, links } };
}

function fromRecords(sources: Sources, lane: LaneName, id: string): Promise<Asked<Knowledge>> {
  return askStorage(sources.logger, async () => {
    const record = await sources.deploymentRecords.find(lane, lane.rootName, id);
    if (!record) return undefined;
    const unlocked = await unlockedOf(sources, lane, record.deployment);
    return { ...knowledgeOf(record.deployment), endedAt: record.endedAt, ...(unlocked && { unlocked }) };
  });
}

/** An unlock comes after the end of the deployment that it is about: the lane's record knows the last ones. */
async function unlockedOf(
  { laneRecords }: Sources,
  lane: LaneName,
  { id, progress }: Deployment,
): Promise<Unlocked | undefined> {
  if (progress.status !== 'apply-outcome-unknown') return undefined;
  const lifted = (await laneRecords.read(lane, lane.rootName))?.record.lifted ?? [];
  const own = lifted.findLast(({ deploymentId }) => deploymentId === id);
  return own && { by: own.liftedBy, at: own.liftedAt };
}

/** Both at once: the lane knows who asked for what, the deployment's own workflow how far it is. */
async function fromTemporal({ workflows }: Sources, lane: LaneName, id: string): Promise<Asked<Knowledge>> {
  const [view, progress] = await Promise.all([workflows.lane(lane), workflows.progress(id)]);
  const inLane = view.kind === 'found' ? knowledgeInLane(view.value, id) : undefined;
  if (progress.kind === 'found') return { kind: 'found', value: withProgress(inLane, progress.value) };
  if (inLane) return { kind: 'found', value: inLane };
  return { kind: view.kind === 'unavailable' || progress.kind === 'unavailable' ? 'unavailable' : 'absent' };
}

function fromLaneRecord({ laneRecords, logger }: Sources, lane: LaneName, id: string): Promise<Asked<Knowledge>> {
  return askStorage(logger, async () => {
    const stored = await laneRecords.read(lane, lane.rootName);
    return stored && knowledgeInLane(asView(stored.record), id);
  });
}

function asView(record: LaneRecord): LaneView {
  const { lifted = [] } = record;
  return { ...record, isRestored: true, lifted, waiting: [...record.manual, ...record.merged], ended: [] };
}

function knowledgeInLane(view: LaneView, id: string): Knowledge | undefined {
  const ahead = view.waiting.findIndex((deployment) => deployment.id === id);
  const waiting = view.waiting[ahead];
  if (waiting) {
    return {
      ...knowledgeOf(waiting),
      ahead: ahead + (view.running ? 1 : 0),
      ...(view.lock ? { lock: view.lock } : {}),
      ...(view.waitsFor === undefined ? {} : { laneWaitsFor: view.waitsFor }),
    };
  }
  const other = [view.running, ...view.ended].find((deployment) => deployment?.id === id);
  return other && knowledgeOf(other);
}

function knowledgeOf({ progress, root, ...deployment }: Deployment): Knowledge {
  return { deployment: { ...deployment, root: shownRoot(root) }, progress };
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

/** The lane hears of every step by a signal; what it has heard to be over is over. */
function withProgress(inLane: Knowledge | undefined, progress: Progress): Knowledge {
  if (inLane && hasEnded(inLane.progress.status)) return inLane;
  return { ...inLane, progress };
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
