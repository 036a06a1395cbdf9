/** Answers `GET /api/v1/activity`: the audit trail, filtered, in pages. */
import type { ActivityEntry, ActivityList } from '@nereid/api';
import type { Repository } from '@nereid/domain/root';
import type { TrailEvent } from '@nereid/domain/trail';
import type { PatientDays } from '../access/patient-days.ts';
import { decodePlace, encodePlace } from '../trail/place-cursor.ts';
import { BEGINNING, walkBack, type Part } from '../trail/walk-back.ts';
import { activityEntryOf } from './activity-entry.ts';

export interface ActivityQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly repository?: string | undefined;
  readonly root?: string | undefined;
  readonly person?: string | undefined;
  readonly action?: string | undefined;
  /** ISO 8601: a time, or a day in UTC, which counts as a whole. */
  readonly from?: string | undefined;
  /** The same; a time itself counts no more. */
  readonly to?: string | undefined;
}

export interface ActivitySources {
  readonly days: PatientDays<Part<TrailEvent>>;
  readonly canRead: (repository: Pick<Repository, 'owner' | 'name'>) => Promise<boolean>;
  /** Whether the reader sees what is about no repository. */
  readonly isInsider: () => Promise<boolean>;
  readonly nowMs: number;
}

/** Undefined when the cursor is none of ours. */
export async function listActivity(query: ActivityQuery, sources: ActivitySources): Promise<ActivityList | undefined> {
  const { days, canRead, nowMs } = sources;
  const { from, to } = boundsOf(query, nowMs);
  const before = query.cursor === undefined ? { at: to, id: '' } : decodePlace(query.cursor);
  if (before === undefined) return undefined;
  let insider: Promise<boolean> | undefined;
  const isInsider = () => (insider ??= sources.isInsider());
  const { items, next } = await walkBack({
    read: async (day, place) => (await days.read(day, place)) ?? { entries: [] },
    wanted: async ({ at, entry }) => {
      const shown = activityEntryOf(entry, at);
      return matches(shown, query) && isReadable(shown, { canRead, isInsider });
    },
    isOver: () => days.isOver(),
    before,
    from,
    limit: query.limit,
  });
  const shown = items.map(({ at, entry }) => activityEntryOf(entry, at));
  return { items: shown, ...(next && { next: encodePlace(next) }), missing: [...days.missing()] };
}

/** Within the time in which anything can have happened, so that no walk is longer than that. */
function boundsOf({ from, to }: ActivityQuery, nowMs: number): { readonly from: string; readonly to: string } {
  const fromMs = from === undefined ? 0 : Date.parse(from);
  const endMs = to === undefined ? Infinity : Date.parse(to) + (isDay(to) ? DAY_MS : 0);
  const [begin, end] = [Math.max(fromMs, Date.parse(BEGINNING)), Math.min(endMs, nowMs + CLOCKS_MS)];
  return { from: new Date(begin).toISOString(), to: new Date(Math.max(end, 0)).toISOString() };
}

/** A day like `2026-11-22`, rather than a time. */
export function isDay(time: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(time);
}

const DAY_MS = 24 * 3_600_000;

/** The clock of a worker may be ahead of ours. */
const CLOCKS_MS = 5 * 60_000;

/** Events of hosts, and of somebody who posed as another one, name no repository. */
async function isReadable(
  { repository }: ActivityEntry,
  { canRead, isInsider }: Pick<ActivitySources, 'canRead' | 'isInsider'>,
): Promise<boolean> {
  if (repository === undefined) return isInsider();
  const [owner = '', name = ''] = repository.split('/');
  return canRead({ owner, name });
}

function matches(entry: ActivityEntry, { repository, root, person, action }: ActivityQuery): boolean {
  return (
    isSame(repository, entry.repository) &&
    isSame(root, entry.rootName) &&
    (action === undefined || action === entry.action) &&
    (isSame(person, entry.person) || isSame(person, entry.approvedBy))
  );
}

/** Names on a forge have no case. */
function isSame(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted.toLowerCase() === found?.toLowerCase();
}
