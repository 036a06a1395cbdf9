/** The list of lanes: filters, counts and pages. Pure. */
import type { LaneList, LaneSummary, OPERATIONS } from '@nereid/api';
import type { z } from 'zod';
import { keyOf, type Picture } from './fleet.ts';
import { laneSummaryOf } from './lane-summary.ts';

export type LanesQuery = z.infer<typeof OPERATIONS.listLanes.query>;

export function listLanes({ lanes, unavailable }: Picture, query: LanesQuery, githubUrl: string): LaneList {
  const { cursor, limit, state } = query;
  const found = lanes.flatMap((lane) => {
    const summary = laneSummaryOf(lane, githubUrl);
    return isFound(summary, query) ? [{ key: keyOf(lane), summary }] : [];
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

function isFound(lane: LaneSummary, { repository, text = '' }: LanesQuery): boolean {
  if (repository !== undefined && lane.repository !== repository) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { running } = lane;
  const all = [lane.repository, lane.rootName, running?.title ?? '', running?.requestedBy ?? '']
    .join('\n')
    .toLowerCase();
  return words.every((word) => all.includes(word));
}
