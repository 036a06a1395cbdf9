/**
 * Answers `GET /api/v1/deployments`: what waits or runs, the newest first, then what ended, the latest end first, in pages.
 *
 * A deployment may end while somebody goes from page to page. What ended after the first page was made, or within the minute
 * before, keeps its place among those that were under way then, so that nobody misses it, or finds it twice.
 */
import type { DeploymentList, ListedDeployment, OPERATIONS } from '@nereid/api';
import { defined } from '@nereid/domain/defined';
import { hasEnded } from '@nereid/domain/deployment';
import { fullName } from '@nereid/domain/root';
import type { Pages } from '@nereid/forge';
import { isBefore } from '@nereid/storage';
import type { z } from 'zod';
import type { PatientDays } from '../../access/patient-days.ts';
import type { Picture, ReadFleet } from '../../fleet/fleet.ts';
import { type LaneDeployment, underWay } from '../../fleet/lane-deployments.ts';
import { briefOf } from '../../fleet/lane-summary.ts';
import { daysOf } from '../../trail/days.ts';
import type { Ended } from '../../trail/ended.ts';
import { BEGINNING, walkBack, type Place } from '../../trail/walk-back.ts';
import { decodeListPlace, encodeListPlace, type ListPlace } from './list-cursor.ts';

export type DeploymentsQuery = z.infer<typeof OPERATIONS.listDeployments.query>;

export interface ListSources {
  readonly readFleet: ReadFleet;
  /** What ended on a day. */
  readonly days: PatientDays<readonly Ended[]>;
  readonly forgePages: Pages;
  readonly nowMs: number;
}

const DAY_MS = 24 * 3_600_000;

/** What ended moments ago may be on the day before, by the clock of a worker. */
const RECENT_DAYS = 2;

/** Longer than an end may be unknown to the lists of days after its lane has told of it. */
const SETTLED_MS = 60_000;

/** Nobody reads a list for longer, and each day is read. */
const CURSOR_DAYS = 7;

/** Undefined when the cursor is none of ours, or too old. */
export async function listDeployments(
  query: DeploymentsQuery,
  sources: ListSources,
): Promise<DeploymentList | undefined> {
  const place = query.cursor === undefined ? firstPlace(sources.nowMs) : decodeListPlace(query.cursor);
  if (place === undefined || sources.nowMs - Date.parse(place.asOf) > CURSOR_DAYS * DAY_MS) return undefined;
  const picture = await sources.readFleet();
  const { found, next } = await pageFrom(place, query, picture, sources);
  const isStorageAway = sources.days.missing().length > 0;
  return {
    items: found.map((one) => listed(one, sources.forgePages)),
    ...(next && { next: encodeListPlace(next) }),
    unavailable: [...new Set([...picture.unavailable, ...(isStorageAway ? (['storage'] as const) : [])])],
  };
}

interface Page {
  readonly found: readonly LaneDeployment[];
  readonly next?: ListPlace;
}

async function pageFrom(
  place: ListPlace,
  query: DeploymentsQuery,
  picture: Picture,
  sources: ListSources,
): Promise<Page> {
  const { asOf, part, before } = place;
  if (part === 'ended') return endedFrom(place, query, sources, query.limit);
  const open = (await underWayAsOf(asOf, picture, sources))
    .filter((one) => isWanted(one, query) && isBefore(placeOf(one), before))
    .toSorted(newestFirst);
  const found = open.slice(0, query.limit);
  const last = found.at(-1);
  if (last && open.length > query.limit) return { found, next: { asOf, part, before: placeOf(last) } };
  if (query.status !== undefined && !hasEnded(query.status)) return { found };
  const beginning: ListPlace = { asOf, part: 'ended', before: { at: asOf, id: '' } };
  if (found.length === query.limit) return { found, next: beginning };
  const ended = await endedFrom(beginning, query, sources, query.limit - found.length);
  return { ...ended, found: [...found, ...ended.found] };
}

async function endedFrom(
  { asOf, before }: ListPlace,
  query: DeploymentsQuery,
  { days }: ListSources,
  limit: number,
): Promise<Page> {
  const { items, next } = await walkBack({
    read: async (day) => ({
      entries: ((await days.read(day)) ?? []).map((entry) => ({ at: entry.endedAt, id: entry.id, entry })),
    }),
    wanted: ({ entry }) => isWanted(entry, query),
    isOver: () => days.isOver(),
    before,
    from: BEGINNING,
    limit,
  });
  const found = items.map(({ entry }) => entry);
  return next === undefined ? { found } : { found, next: { asOf, part: 'ended', before: next } };
}

/** Those that wait or run, and those that ended since then. */
async function underWayAsOf(
  asOf: string,
  picture: Picture,
  { days, nowMs }: ListSources,
): Promise<readonly LaneDeployment[]> {
  const since = Math.max(0, Math.ceil((nowMs - Date.parse(asOf)) / DAY_MS));
  const recent = daysOf({ days: since + RECENT_DAYS, nowMs });
  const read = await Promise.all(recent.map((day) => days.read(day)));
  const ended = new Map(read.flatMap((ofDay) => ofDay ?? []).map((one) => [one.id, one]));
  const endedSince = [...ended.values()].filter(({ endedAt }) => endedAt >= asOf);
  return [...underWay(picture).filter(({ id }) => !ended.has(id)), ...endedSince];
}

/** Before everything, whatever the clocks of others say. */
function firstPlace(nowMs: number): ListPlace {
  return { asOf: new Date(nowMs - SETTLED_MS).toISOString(), part: 'under-way', before: { at: END_OF_TIME, id: '' } };
}

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

function placeOf({ receivedAt: at, id }: LaneDeployment): Place {
  return { at, id };
}

function newestFirst(one: LaneDeployment, other: LaneDeployment): number {
  return isBefore(placeOf(one), placeOf(other)) ? 1 : -1;
}

function isWanted(told: LaneDeployment, { repository, root, status, person }: DeploymentsQuery): boolean {
  return (
    isSame(repository, fullName(told.lane)) &&
    (root === undefined || root === told.lane.rootName) &&
    (status === undefined || status === told.status) &&
    isSame(person, told.requestedBy)
  );
}

/** Names on a forge have no case. */
function isSame(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted.toLowerCase() === found.toLowerCase();
}

function listed(told: LaneDeployment, forgePages: Pages): ListedDeployment {
  const { lane, endedAt } = told;
  return {
    ...briefOf(told, lane, forgePages),
    ...defined({ endedAt }),
    repository: fullName(lane),
    rootName: lane.rootName,
  };
}
