/** Everything about one lane, now or as of a time. */
import type { LaneDetail } from '@nereid/api';
import type { LaneName } from '@nereid/domain/console';
import { defined } from '@nereid/domain/defined';
import { fullName } from '@nereid/domain/root';
import type { Pages } from '@nereid/forge';
import type { EndBound, EndPlace } from '@nereid/storage';
import type { Logger } from 'pino';
import { isSameName } from '../../access/repository-access.ts';
import type { FleetDeployment, FleetLane } from '../../fleet/fleet-lane.ts';
import type { ReadFleet } from '../../fleet/fleet.ts';
import { behindRevisionsOf, briefOf, deployedOf, laneSummaryOf } from '../../fleet/lane-summary.ts';
import type { ReadProgress } from '../../fleet/read-waits.ts';
import { inTime } from '../../platform/in-time.ts';
import { encodePlace } from '../../trail/place-cursor.ts';
import type { DeployedBy, HistoryPage, LaneHistory } from './lane-history.ts';

const QUEUE_SHOWN = 100;

/** As many as a lane remembers. */
const BEHIND_SHOWN = 50;

export interface LaneSources {
  readonly readFleet: ReadFleet;
  readonly readProgress: ReadProgress;
  readonly laneHistory: LaneHistory;
  readonly forgePages: Pages;
  /** How long the page waits for storage. */
  readonly patienceMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface LaneQuery {
  readonly at?: string | undefined;
  /** The last one of the page of the history before this one. */
  readonly before?: EndPlace | undefined;
  readonly limit: number;
}

/** Undefined for a lane that nobody knows. A storage that does not answer takes the history away, and not the page. */
export async function findLaneDetail(
  sources: LaneSources,
  name: LaneName,
  query: LaneQuery,
): Promise<LaneDetail | undefined> {
  const { readFleet, forgePages } = sources;
  const picture = await readFleet();
  const listed = picture.lanes.find((one) => isSameLane(one, name));
  if (listed === undefined) return undefined;
  const isTemporalAway = picture.unavailable.includes('temporal');
  const [lane, past] = await Promise.all([
    isTemporalAway ? listed : withProgress(sources, listed),
    readPast(sources, { owner: listed.owner, name: listed.name, rootName: listed.rootName }, query),
  ]);
  const unavailable = new Set([...picture.unavailable, ...(past === undefined ? (['storage'] as const) : [])]);
  return {
    ...laneSummaryOf(lane, forgePages),
    queue: lane.waiting.slice(0, QUEUE_SHOWN).map((one) => briefOf(one, lane, forgePages)),
    revisionsBehind: behindRevisionsOf(lane, BEHIND_SHOWN),
    ...historyOf(past?.page, lane, forgePages),
    ...defined({ asOf: query.at }),
    ...thenOf(past?.then),
    unavailable: [...unavailable],
  };
}

/** The names of roots have case. Records are found by the name that their lane has. */
function isSameLane(one: LaneName, other: LaneName): boolean {
  return isSameName(fullName(one), fullName(other)) && one.rootName === other.rootName;
}

async function withProgress({ readProgress }: LaneSources, lane: FleetLane): Promise<FleetLane> {
  return lane.running === undefined ? lane : { ...lane, running: await readProgress(lane.running) };
}

interface Past {
  readonly page: HistoryPage;
  readonly then: DeployedBy | undefined;
}

async function readPast(sources: LaneSources, name: LaneName, query: LaneQuery): Promise<Past | undefined> {
  const { laneHistory, patienceMs, logger } = sources;
  const { at, limit } = query;
  const read = Promise.all([
    laneHistory.page(name, boundOf(query), limit),
    at === undefined ? undefined : laneHistory.deployedBy(name, at),
  ]);
  try {
    const [page, then] = await inTime(read, patienceMs);
    return { page, then };
  } catch (error) {
    logger.warn({ err: error, ...name }, 'the history of a lane cannot be read');
    return undefined;
  }
}

/** A cursor that was made without the time, or with a later one, does not lead beyond the time. */
function boundOf({ at, before }: LaneQuery): EndBound | undefined {
  const isBeyond = at !== undefined && (before === undefined || Date.parse(before.endedAt) > Date.parse(at));
  if (isBeyond) return { by: at };
  return before && { before };
}

function historyOf(
  page: HistoryPage | undefined,
  lane: FleetLane,
  forgePages: Pages,
): Pick<LaneDetail, 'history' | 'next' | 'unreadable'> {
  if (page === undefined) return { history: [] };
  const { items, next, unreadable } = page;
  const others: readonly FleetDeployment[] = [...items, ...(lane.running ? [lane.running] : [])];
  const statuses = new Map(others.map(({ id, status }) => [id, status]));
  return {
    history: items.map((one) => ({
      ...briefOf(one, lane, forgePages, one.carrier && statuses.get(one.carrier.deploymentId)),
      endedAt: one.endedAt,
    })),
    ...(next && { next: encodePlace({ at: next.endedAt, id: next.id }) }),
    ...(unreadable > 0 && { unreadable }),
  };
}

function thenOf(then: DeployedBy | undefined): Pick<LaneDetail, 'deployedThen' | 'searchedTo'> {
  switch (then?.kind) {
    case 'deployed':
      return { deployedThen: deployedOf(then.latest) };
    case 'not-found':
      return { searchedTo: then.searchedTo };
    case 'nothing':
    case undefined:
      return {};
  }
}
