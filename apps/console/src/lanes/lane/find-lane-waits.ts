/** Everything that holds up the deployments of one lane, by what the lane says, or else by its record. */
import { LaneWaits } from '@nereid/api';
import {
  isStopOf,
  placeOf,
  stopFact,
  windowAhead,
  windowFact,
  windowsFor,
  windowStateAt,
  type ServerConfig,
} from '@nereid/config';
import type { LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import type { Deployment } from '@nereid/domain/deployment';
import { describeLock, viewOfRecord, explainWaits, type LaneView } from '@nereid/domain/lane';
import { doorOf, glassFor, type GateFacts } from '@nereid/domain/gates';
import type { BreakGlass } from '@nereid/domain/plan';
import { fullName } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { Pages } from '@nereid/forge';
import type { LaneRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { isSameName } from '../../access/repository-access.ts';
import { briefly } from '../../fleet/fleet-lane.ts';
import type { ReadFleet } from '../../fleet/fleet.ts';
import { briefOf } from '../../fleet/lane-summary.ts';
import { haltOf } from './halted-by-lane.ts';
import type { ReadStops } from '../../access/stops/read-stops.ts';
import { findStopsAndGlass } from '../../access/stops/shown-stops.ts';
import { inTime } from '../../platform/in-time.ts';
import type { AskWorkflows } from '../../platform/temporal/ask-workflows.ts';

export interface WaitSources extends AskWorkflows {
  readonly readFleet: ReadFleet;
  readonly readStops: ReadStops;
  readonly laneRecords: Pick<LaneRecords, 'read'>;
  readonly forgePages: Pages;
  /** How long an answer waits for storage. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly server: { current(): Pick<ServerConfig, 'windows'> };
}

/** As many as the page of the lane shows. */
const SHOWN = 100;

/** Undefined for a lane that nobody knows. `nowMs` is in epoch milliseconds. */
export async function findLaneWaits(
  sources: WaitSources,
  name: LaneName,
  nowMs: number,
): Promise<LaneWaits | undefined> {
  const picture = await sources.readFleet();
  const listed = picture.lanes.find(
    (one) => isSameName(fullName(one), fullName(name)) && one.rootName === name.rootName,
  );
  if (listed === undefined) return undefined;
  const { owner, name: repository, rootName } = listed;
  const lane = { owner, name: repository, rootName };
  const unavailable = new Set(picture.unavailable);
  const live = await sources.askLane(lane);
  if (live.kind === 'unavailable') unavailable.add('temporal');
  const view = live.kind === 'found' ? live.value : await readRecord(sources, lane, () => unavailable.add('storage'));
  const running = view?.running && (await withOwnProgress(sources, view.running));
  const known = view && { ...view, ...(running && { running }) };
  return LaneWaits.parse({
    repository: fullName(lane),
    rootName,
    ...(known?.lock && { lock: { ...known.lock, sentence: describeLock(known.lock) } }),
    ...defined({ halts: haltOf(picture.lanes, listed) }),
    items: known === undefined ? [] : itemsOf(sources, known, lane, { nowMs, ...(await findStopsAndGlass(sources)) }),
    unavailable: [...unavailable],
  });
}

interface Now extends Awaited<ReturnType<typeof findStopsAndGlass>> {
  readonly nowMs: number;
}

function itemsOf(sources: WaitSources, view: LaneView, lane: LaneName, now: Now): object[] {
  const { forgePages, server } = sources;
  const all = [...(view.running ? [view.running] : []), ...view.waiting];
  return all.slice(0, SHOWN).map((each) => {
    const glass = glassOf(now, each);
    const deployment = passingBy(glass, each);
    return {
      ...briefOf(briefly(deployment), lane, forgePages),
      reasons: explainWaits(view, deployment, now.nowMs, glass === undefined ? factsOf(sources, each, lane, now) : {}),
      ...defined({
        closing: windowAhead(server.current(), fullName(lane), deployment, now.nowMs),
        glass: glass && describeGlass(glass.body),
      }),
    };
  });
}

/** What would hold it up besides what it waits for. */
function factsOf(
  { server }: WaitSources,
  { root, progress }: Deployment,
  lane: LaneName,
  { stops, nowMs }: Now,
): Pick<GateFacts, 'stop' | 'window'> {
  const isApplied = progress.plan?.made.body.hasChanges !== false;
  const windows = isApplied ? windowsFor(server.current(), fullName(lane), placeOf(root), doorOf(progress)) : [];
  return {
    stop: { stops: stops.filter((stop) => isStopOf(stop, lane, root)).map((stop) => stopFact(stop, nowMs)) },
    window: windowFact(windowStateAt(windows, nowMs), nowMs),
  };
}

/** The one that lets it pass: its apply, once it has a plan. */
function glassOf({ glass: broken, nowMs }: Now, { id, progress }: Deployment): Signed<BreakGlass> | undefined {
  const bodies = broken.map(({ body }) => body);
  const plan = defined({ digest: progress.plan?.made.body.digest });
  const found = glassFor(bodies, { deploymentId: id, ...plan }, nowMs);
  return progress.glass ?? broken.find(({ body }) => body.requestId === found?.requestId);
}

/** Neither a stop nor a window holds up its apply. */
function passingBy(glass: Signed<BreakGlass> | undefined, deployment: Deployment): Deployment {
  if (glass?.body.digest === undefined) return deployment;
  return { ...deployment, progress: { ...deployment.progress, glass } };
}

function describeGlass({ by, reason, at, until, digest }: BreakGlass): LaneWaits['items'][number]['glass'] {
  return { by, reason, at, until, door: digest === undefined ? 'plan' : 'apply' };
}

/** Only its workflow knows how far it is. */
async function withOwnProgress({ askProgress }: WaitSources, running: Deployment): Promise<Deployment> {
  const asked = await askProgress(running.id);
  if (asked.kind !== 'found') return running;
  return { ...running, progress: { ...asked.value, times: { ...running.progress.times, ...asked.value.times } } };
}

async function readRecord(
  { laneRecords, patienceMs, logger }: WaitSources,
  lane: LaneName,
  onAway: () => void,
): Promise<LaneView | undefined> {
  try {
    const stored = await inTime(laneRecords.read(lane, lane.rootName), patienceMs);
    return stored && viewOfRecord(stored.record);
  } catch (error) {
    logger.warn({ err: error, ...lane }, 'the record of a lane cannot be read');
    onAway();
    return undefined;
  }
}
