/**
 * Who has stopped a repository, and who lets single deployments pass: `stops/<owner>/<repo>.json`. Who has stopped pools, or all of
 * them: `stops/pools.json`. Only control writes them.
 */
import type { PoolStop, Stop } from '@nereid/domain/gates';
import { poolStopsRecord, stopsRecord } from '@nereid/domain/gates/record';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import type { ObjectStore } from '../objects/object-store.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { parseStopsKey, POOL_STOPS_KEY, STOPS_PREFIX, stopsKey } from '../records/record-keys.ts';
import { createChangingRecords } from './changing-records.ts';

type Named = Pick<Repository, 'owner' | 'name'>;

export interface StoredStops {
  readonly stops: readonly Signed<Stop>[];
  readonly glass: readonly Signed<BreakGlass>[];
  /** When the last thaw was asked for, in ISO 8601; absent when there was none. */
  readonly thawedAt?: string;
}

export interface StoredPoolStops {
  readonly stops: readonly Signed<PoolStop>[];
  /** When the last thaw of each pool was asked for, in ISO 8601. */
  readonly thawed: readonly { readonly pool: string; readonly at: string }[];
}

/** The record of a repository. Its parts may say that they are about another repository: only their signatures count. */
export interface StopsOfRepository extends Pick<StoredStops, 'stops' | 'glass'> {
  readonly repository: Named;
}

/** None of the stops was verified, and some may be over. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
export interface StopRecords {
  read(repository: Named): Promise<StoredStops>;
  readPools(): Promise<StoredPoolStops>;
  /**
   * Replaces them by what `change` returns, which sees the newest ones and may be asked several times. A record that cannot be read
   * is told to `onUnreadable`, and replaced as if it were empty. Without it, throws as `read` does.
   */
  change(repository: Named, change: (found: StoredStops) => StoredStops, onUnreadable?: OnUnreadable): Promise<void>;
  changePools(change: (found: StoredPoolStops) => StoredPoolStops, onUnreadable?: OnUnreadable): Promise<void>;
  /** Of all repositories. Records that cannot be read are left out. */
  list(onUnreadable: OnUnreadable): Promise<readonly StopsOfRepository[]>;
  /** Removes those that were over at this time, in ISO 8601, from all records that can be read. */
  forgetEnded(at: string, onUnreadable: OnUnreadable): Promise<void>;
}

export function createStopRecords(store: ObjectStore): StopRecords {
  const ofRepositories = createChangingRecords<StoredStops>(store, stopsRecord, { stops: [], glass: [] });
  const ofPools = createChangingRecords<StoredPoolStops>(store, poolStopsRecord, { stops: [], thawed: [] });

  return {
    read: (repository) => ofRepositories.read(stopsKey(repository)),
    readPools: () => ofPools.read(POOL_STOPS_KEY),
    change: (repository, ...how) => ofRepositories.change(stopsKey(repository), ...how),
    changePools: (...how) => ofPools.change(POOL_STOPS_KEY, ...how),
    async list(onUnreadable) {
      const read = async (key: string) => {
        const repository = parseStopsKey(key);
        if (repository === undefined) return undefined;
        const { stops, glass } = await ofRepositories.read(key);
        return { repository, stops, glass };
      };
      return listReadable(store, STOPS_PREFIX, read, onUnreadable);
    },
    async forgetEnded(at, onUnreadable) {
      const lasts = ({ body }: { readonly body: { readonly until: string } }) => body.until > at;
      const forget = (key: string) =>
        key === POOL_STOPS_KEY
          ? ofPools.changeOnce(key, ({ stops, ...rest }) => ({ ...rest, stops: stops.filter(lasts) }))
          : ofRepositories.changeOnce(key, ({ stops, glass, ...rest }) => ({
              ...rest,
              stops: stops.filter(lasts),
              glass: glass.filter(lasts),
            }));
      await listReadable(store, STOPS_PREFIX, forget, onUnreadable);
    },
  };
}
