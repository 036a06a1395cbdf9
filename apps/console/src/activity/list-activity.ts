/** Answers `GET /api/v1/activity`: the audit trail, filtered, in pages. */
import type { ActivityEntry, ActivityList } from '@nereid/api';
import type { Repository, TrailEvent } from '@nereid/contracts';
import type { ReadParts } from '../trail/day-cache.ts';
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
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ActivitySources {
  readonly readDay: ReadParts<Part<TrailEvent>>;
  readonly canRead: (repository: Pick<Repository, 'owner' | 'name'>) => Promise<boolean>;
  /** Whether the reader sees what is about no repository. */
  readonly isInsider: () => Promise<boolean>;
  readonly nowMs: number;
}

/** Undefined when the cursor is none of ours. Throws what the storage throws. */
export async function listActivity(query: ActivityQuery, sources: ActivitySources): Promise<ActivityList | undefined> {
  const { readDay, canRead, nowMs } = sources;
  let insider: Promise<boolean> | undefined;
  const isInsider = () => (insider ??= sources.isInsider());
  const newest = { at: query.to ?? new Date(nowMs + CLOCKS_MS).toISOString(), id: '' };
  const before = query.cursor === undefined ? newest : decodePlace(query.cursor);
  if (before === undefined) return undefined;
  const { items, next } = await walkBack({
    async read(day, place) {
      const part = await readDay(day, place);
      const entries = part.entries.map(({ at, id, entry }) => ({ at, id, entry: activityEntryOf(entry, at) }));
      return { ...part, entries };
    },
    wanted: async (entry) => matches(entry, query) && (await isReadable(entry, { canRead, isInsider })),
    before,
    from: query.from ?? BEGINNING,
    limit: query.limit,
  });
  const list = { items: items.map(({ entry }) => entry) };
  return next === undefined ? list : { ...list, next: encodePlace(next) };
}

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

/** Names on GitHub have no case. */
function isSame(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted.toLowerCase() === found?.toLowerCase();
}
