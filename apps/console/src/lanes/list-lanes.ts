/** The list of lanes: filters, counts and pages. Pure. */
import type { LaneList, LaneSummary, OPERATIONS } from '@nereid/api';
import type { Pages } from '@nereid/forge';
import type { z } from 'zod';
import { isSameName } from '../access/repository-access.ts';
import { containsWords } from '../fleet/contains-words.ts';
import type { FleetLane } from '../fleet/fleet-lane.ts';
import { keyOf, type Picture } from '../fleet/fleet.ts';
import { laneSummaryOf } from '../fleet/lane-summary.ts';

export type LanesQuery = z.infer<typeof OPERATIONS.listLanes.query>;

export function listLanes({ lanes, unavailable }: Picture, query: LanesQuery, forgePages: Pages): LaneList {
  const { cursor, limit, state } = query;
  const found = lanes.flatMap((lane) => {
    const summary = laneSummaryOf(lane, forgePages);
    return isFound(lane, summary, query) ? [{ key: keyOf(lane), summary }] : [];
  });
  const counts: LaneList['counts'] = {};
  for (const { summary } of found) counts[summary.state] = (counts[summary.state] ?? 0) + 1;
  const wanted = found.filter(({ summary }) => state === undefined || summary.state === state);
  // A lane that is gone by now leaves its place in the order.
  const left = cursor === undefined ? wanted : wanted.filter(({ key }) => key.localeCompare(cursor) > 0);
  const items = left.slice(0, limit);
  const last = items.at(-1)?.key;
  return {
    items: items.map(({ summary }) => summary),
    ...(left.length > limit && last !== undefined && { next: last }),
    counts,
    unavailable: [...unavailable],
  };
}

function isFound(lane: FleetLane, summary: LaneSummary, { repository, text = '', person }: LanesQuery): boolean {
  if (repository !== undefined && !isSameName(repository, summary.repository)) return false;
  if (person !== undefined && !peopleOf(lane).includes(person.toLowerCase())) return false;
  const { running } = summary;
  return containsWords(text, [
    ...[summary.repository, summary.rootName],
    ...[running?.title ?? '', running?.requestedBy ?? ''],
  ]);
}

/** Names on a forge have no case. */
function peopleOf({ running, waiting, undeployed, lock }: FleetLane): readonly string[] {
  const deployments = [...(running ? [running] : []), ...waiting, ...undeployed];
  const people = [...deployments.map(({ requestedBy }) => requestedBy), ...(lock ? [lock.by] : [])];
  return people.map((person) => person.toLowerCase());
}
