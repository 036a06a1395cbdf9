/**
 * Gathers everything that is known about a deployment. Asks its lane, if the lane runs, and its own workflow for its progress.
 * A deployment that waits or runs in its lane needs no storage. A deployment that ended has a permanent record. When Temporal
 * or the workers do not answer, the lane's record has the last known state.
 */
import { windowAhead, type ServerConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import type { LaneName } from '@nereid/domain/console';
import { hasEnded, type Progress } from '@nereid/domain/deployment';
import { type LaneView, deploymentIn, viewOfRecord, waitIn } from '@nereid/domain/lane';
import { fullName } from '@nereid/domain/root';
import { traceIdOf, type TemporalProbe } from '@nereid/process';
import type { PreviewRecord } from '@nereid/domain/pull-request';
import type { DeploymentRecords, LaneRecords, PullRequestRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { createPatience } from '../../platform/in-time.ts';
import type { AskPending } from '../../platform/temporal/ask-pending.ts';
import type { AskWorkflows } from '../../platform/temporal/ask-workflows.ts';
import type { Asked } from '../../platform/temporal/asked.ts';
import type { DeploymentView, Source } from '../deployment-view.ts';
import { linksOf, type LinkSettings } from './deployment-links.ts';
import { revertOf } from './revert-of.ts';
import { findLaneOf, type LaneSources } from './find-lane-of.ts';
import { knowledgeOf, type Knowledge } from './knowledge.ts';

export type Found =
  | { readonly kind: 'found'; readonly view: DeploymentView }
  | { readonly kind: 'absent' }
  /** A source that might know the deployment did not answer. */
  | { readonly kind: 'unavailable' };

export interface DeploymentSources extends LaneSources, AskWorkflows {
  readonly isTemporalReachable: TemporalProbe;
  readonly deploymentRecords: Pick<DeploymentRecords, 'find'>;
  readonly laneRecords: Pick<LaneRecords, 'read'>;
  readonly pullRequestRecords: Pick<PullRequestRecords, 'readPreview'>;
  readonly links: LinkSettings;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly server: WindowSources;
}

/** Whose windows may be about to close. */
export interface WindowSources {
  current(): Pick<ServerConfig, 'windows'>;
}

/** Also of what its workflow does. */
export interface PendingSources extends DeploymentSources {
  readonly askPending: AskPending;
}

/** Undefined is nothing. What fails or takes too long is unavailable. */
type AskStorage = <T>(question: () => Promise<T | undefined>) => Promise<Asked<T>>;

export async function findDeployment(
  sources: DeploymentSources,
  id: string,
  named: LaneName | undefined,
): Promise<Found> {
  const lane: Asked<LaneName> = named ? { kind: 'found', value: named } : await findLaneOf(sources, id);
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
  const trace = sources.links.namesTraces === true ? traceOf(lane.value, knowledge) : undefined;
  const warnings = [...knowledge.warnings, ...closingOf(sources, lane.value, knowledge)];
  const view = { id, lane: lane.value, ...knowledge, warnings, unavailable, links, ...defined({ trace }) };
  return { kind: 'found', view };
}

function closingOf(
  { server }: DeploymentSources,
  lane: LaneName,
  { deployment, progress }: Knowledge,
): readonly string[] {
  const closing = windowAhead(server.current(), fullName(lane), { ...deployment, progress }, Date.now());
  return closing === undefined ? [] : [`${closing}.`];
}

/** Plans of pull requests have none. */
function traceOf(lane: LaneName, { deployment: { trigger, revision } }: Knowledge): string | undefined {
  return trigger === 'preview' ? undefined : traceIdOf(lane, revision.sha);
}

/** With what its workflow does, or tries again, for a page that shows it. */
export async function findWithPending(
  sources: PendingSources,
  id: string,
  named: LaneName | undefined,
): Promise<Found> {
  const found = await findDeployment(sources, id, named);
  if (found.kind !== 'found') return found;
  const { status } = found.view.progress;
  if (hasEnded(status) || status === 'queued' || found.view.unavailable.length > 0) return found;
  const pending = await sources.askPending(id);
  return pending.length === 0 ? found : { kind: 'found', view: { ...found.view, pending } };
}

interface LookedUp {
  /** Undefined when no source that answered knows the deployment. */
  readonly knowledge: Knowledge | undefined;
  /** A record that was needed could not be read. */
  readonly isStorageAway: boolean;
}

async function lookUp(
  sources: DeploymentSources,
  lane: LaneName,
  id: string,
  live: Asked<LaneView>,
  progress: Asked<Progress>,
): Promise<LookedUp> {
  const atWork = live.kind === 'found' ? inLane(lane, live.value, id, progress) : undefined;
  if (atWork && !hasEnded(atWork.progress.status)) return { knowledge: atWork, isStorageAway: false };

  const askStorage = createAskStorage(sources);
  const readPreview = (id: string) => askStorage(() => sources.pullRequestRecords.readPreview(lane, lane.rootName, id));
  // The lane's record comes first: a deployment that the lane has forgotten by then has a record of its own.
  const known = live.kind === 'found' ? live : await askStorage(() => readLane(sources, lane));
  const own = await askStorage(() => sources.deploymentRecords.find(lane, lane.rootName, id));
  const view = known.kind === 'found' ? known.value : undefined;
  const isStorageAway = known.kind === 'unavailable' || own.kind === 'unavailable';
  if (own.kind !== 'found') {
    const knowledge = view && inLane(lane, view, id, progress);
    if (knowledge || own.kind === 'unavailable') return { knowledge, isStorageAway };
    const stored = await readPreview(id);
    if (stored.kind === 'unavailable') return { knowledge: undefined, isStorageAway: true };
    return { knowledge: stored.kind === 'found' ? previewOf(lane, stored.value, progress) : undefined, isStorageAway };
  }
  const { deployment, endedAt } = own.value;
  // Whatever was applied since has changed what going back would do.
  const isLast = view?.latest === undefined || view.latest.deploymentId === id;
  const revert = isLast ? await revertOf(readPreview, sources.links.forgePages, lane, deployment) : undefined;
  const knowledge = { ...knowledgeOf(lane, deployment, view), endedAt, ...defined({ revert }) };
  return { knowledge, isStorageAway };
}

/** A preview is in no lane: its record is there from its order on. */
function previewOf(lane: LaneName, { deployment, endedAt }: PreviewRecord, progress: Asked<Progress>): Knowledge {
  if (endedAt !== undefined) return { ...knowledgeOf(lane, deployment, undefined), endedAt };
  if (progress.kind !== 'found') return knowledgeOf(lane, deployment, undefined);
  const times = { ...deployment.progress.times, ...progress.value.times };
  return knowledgeOf(lane, { ...deployment, progress: { ...progress.value, times } }, undefined);
}

async function readLane({ laneRecords }: DeploymentSources, lane: LaneName): Promise<LaneView | undefined> {
  const stored = await laneRecords.read(lane, lane.rootName);
  return stored && viewOfRecord(stored.record);
}

/** The workflow of a running deployment knows its progress better than the lane does. */
function inLane(name: LaneName, lane: LaneView, id: string, progress: Asked<Progress>): Knowledge | undefined {
  const deployment = deploymentIn(lane, id);
  if (deployment === undefined) return undefined;
  if (lane.waiting.includes(deployment)) return knowledgeOf(name, deployment, lane, waitIn(lane, deployment));
  if (lane.running?.id !== id || progress.kind !== 'found') return knowledgeOf(name, deployment, lane);
  // Only the lane knows when the deployment was queued.
  const times = { ...deployment.progress.times, ...progress.value.times };
  return knowledgeOf(name, { ...deployment, progress: { ...progress.value, times } }, lane);
}

async function whoIsAway({ isTemporalReachable }: DeploymentSources): Promise<Source> {
  return (await isTemporalReachable()) ? 'workers' : 'temporal';
}

/** One page has one patience for all that it asks the storage. */
function createAskStorage({ logger, patienceMs }: DeploymentSources): AskStorage {
  const patience = createPatience(patienceMs);
  return async (question) => {
    try {
      const value = await patience.ask(question);
      return value === undefined ? { kind: 'absent' } : { kind: 'found', value };
    } catch (error) {
      logger.error({ err: error }, 'storage could not be read');
      return { kind: 'unavailable' };
    }
  };
}
