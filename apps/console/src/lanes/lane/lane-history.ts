/** What has ended in a lane, in pages and as of any time: read once in a while for all pages that show it. */
import type { LaneName } from '@nereid/domain/console';
import { hasEnded, type DeploymentRecord } from '@nereid/domain/deployment';
import { type Latest, hasHappened, latestOf } from '@nereid/domain/lane';
import { isUnreadableRecord, type DeploymentRecords, type EndBound, type EndPlace } from '@nereid/storage';
import { LRUCache } from 'lru-cache';
import pMap from 'p-map';
import type { Logger } from 'pino';
import { briefly, type FleetDeployment } from '../../fleet/fleet-lane.ts';
import { lanePath } from '../../platform/html/paths.ts';

export type EndedInLane = FleetDeployment & {
  readonly endedAt: string;
  /** What it brought to its root; absent when it did not take effect. */
  readonly effect?: Latest;
};

export interface HistoryPage {
  /** The latest end first. */
  readonly items: readonly EndedInLane[];
  /** Where to go on; absent on the last page. */
  readonly next?: EndPlace;
  /** How many records cannot be read. */
  readonly unreadable: number;
}

export type DeployedBy =
  | { readonly kind: 'deployed'; readonly latest: Latest }
  | { readonly kind: 'nothing' }
  /** None of the thousand that ended since then took effect: only a root that rejects nearly everything has as many. ISO 8601. */
  | { readonly kind: 'not-found'; readonly searchedTo: string };

export interface LaneHistory {
  page(lane: LaneName, bound: EndBound | undefined, limit: number): Promise<HistoryPage>;
  /** What was deployed at this time, by the deployments that had ended by then. */
  deployedBy(lane: LaneName, time: string): Promise<DeployedBy>;
}

/** Pages that are open follow what ends, all at once; only keys are listed. */
const LIST_FRESH_MS = 1_000;

/** Some 10 KB each. */
const LISTS_KEPT = 1_000;

/** A record hardly ever changes: one of an unknown outcome gives way to a better one. */
const RECORD_FRESH_MS = 60_000;

/** A kilobyte each. */
const RECORDS_KEPT = 10_000;

/** A bucket takes thousands a second; others read at the same time. */
const AT_ONCE = 16;

/** Most often, something took effect lately; a folder is listed as a whole for each page of the search. */
const SEARCH_PAGES = [50, 200, 250, 500];

type Read = EndedInLane | 'unreadable' | 'gone';

type Records = Pick<DeploymentRecords, 'endsBefore' | 'readAt'>;

/** Who asks while something is read waits for the same reading. A failure is not kept. */
export function createLaneHistory(records: Records, logger: Pick<Logger, 'warn'>): LaneHistory {
  const lists = new LRUCache<string, Promise<readonly EndPlace[]>>({ max: LISTS_KEPT, ttl: LIST_FRESH_MS });
  const known = new LRUCache<string, Promise<Read>>({ max: RECORDS_KEPT, ttl: RECORD_FRESH_MS });

  async function read(lane: LaneName, place: EndPlace): Promise<Read> {
    try {
      const record = await records.readAt(lane, lane.rootName, place);
      return record === undefined ? 'gone' : (endedOf(record) ?? 'gone');
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      logger.warn({ err: error, ...lane }, 'the record of a deployment is broken, and left out of the history');
      return 'unreadable';
    }
  }

  async function page(lane: LaneName, bound: EndBound | undefined, limit: number): Promise<HistoryPage> {
    const listing = JSON.stringify([lanePath(lane), bound, limit]);
    // One more says whether there is a next page.
    const ask = () => records.endsBefore(lane, lane.rootName, bound, limit + 1);
    const places = await remember(lists, listing, ask);
    const shown = places.slice(0, limit);
    const found = await pMap(
      shown,
      (place) => remember(known, JSON.stringify([lanePath(lane), place]), () => read(lane, place)),
      { concurrency: AT_ONCE },
    );
    const last = shown.at(-1);
    return {
      items: found.filter((one) => typeof one !== 'string'),
      ...(places.length > limit && last && { next: last }),
      unreadable: found.filter((one) => one === 'unreadable').length,
    };
  }

  return {
    page,
    async deployedBy(lane, time) {
      let bound: EndBound = { by: time };
      let searchedTo = time;
      for (const limit of SEARCH_PAGES) {
        const { items, next } = await page(lane, bound, limit);
        const latest = items.find(({ effect }) => effect !== undefined)?.effect;
        if (latest) return { kind: 'deployed', latest };
        if (next === undefined) return { kind: 'nothing' };
        bound = { before: next };
        searchedTo = next.endedAt;
      }
      return { kind: 'not-found', searchedTo };
    },
  };
}

function remember<T extends object | string>(
  known: LRUCache<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const asked = ask();
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}

/** Undefined for one that has not ended, whatever its record says. */
function endedOf({ deployment, endedAt }: DeploymentRecord): EndedInLane | undefined {
  const { status } = deployment.progress;
  if (!hasEnded(status)) return undefined;
  return {
    ...briefly(deployment),
    endedAt,
    ...(hasHappened(status) && { effect: latestOf(deployment, endedAt) }),
  };
}
