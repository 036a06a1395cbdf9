/** Who has stopped a repository, and who lets single deployments pass: `stops/<owner>/<repo>.json`. Only control writes it. */
import { defined } from '@nereid/domain/defined';
import type { Stop } from '@nereid/domain/gates';
import { stopsRecord, type StopsRecord } from '@nereid/domain/gates/record';
import type { BreakGlass } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { isUnreadableRecord, VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { STOPS_PREFIX, stopsKey } from '../records/record-keys.ts';

type Named = Pick<Repository, 'owner' | 'name'>;

export interface StoredStops {
  readonly stops: readonly Signed<Stop>[];
  readonly glass: readonly Signed<BreakGlass>[];
  /** When the last thaw was asked for, in ISO 8601; absent when there was none. */
  readonly thawedAt?: string;
}

export interface StopRecords {
  /** Also some that are over; nobody has verified them. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Named): Promise<StoredStops>;
  /**
   * Replaces them by what `change` returns, which sees the newest ones and may be asked several times. A record that cannot be read
   * is told to `onUnreadable`, and replaced as if it were empty. Without it, throws `BrokenRecordError`, `UnknownRecordVersionError`.
   */
  change(repository: Named, change: (found: StoredStops) => StoredStops, onUnreadable?: OnUnreadable): Promise<void>;
  /** Removes those that were over at this time, in ISO 8601, from all records that can be read. */
  forgetEnded(at: string, onUnreadable: OnUnreadable): Promise<void>;
}

/** As many people at once are more than a company has. */
const ATTEMPTS = 10;

const NONE: StoredStops = { stops: [], glass: [] };

const format = recordFormat<StopsRecord>(stopsRecord, 1);

export function createStopRecords(store: ObjectStore): StopRecords {
  async function read(key: string, onUnreadable?: OnUnreadable) {
    const found = await store.get(key);
    const known = found === undefined ? NONE : decode(key, found.body, onUnreadable);
    return { ...known, version: found?.version ?? ABSENT };
  }

  function decode(key: string, body: Uint8Array, onUnreadable?: OnUnreadable): StoredStops {
    try {
      const { stops, glass = [], thawedAt } = format.decode(key, body);
      return { stops, glass, ...defined({ thawedAt }) };
    } catch (error) {
      if (onUnreadable === undefined || !isUnreadableRecord(error)) throw error;
      onUnreadable(error);
      return NONE;
    }
  }

  return {
    async read(repository) {
      const { version: _ofIt, ...found } = await read(stopsKey(repository));
      return found;
    },
    async change(repository, change, onUnreadable) {
      const key = stopsKey(repository);
      for (let attempt = 1; ; attempt += 1) {
        const { version, ...found } = await read(key, onUnreadable);
        try {
          await store.put(key, format.encode(key, { version: 1, ...change(found) }), { ifVersion: version });
          return;
        } catch (error) {
          if (!(error instanceof VersionConflictError) || attempt === ATTEMPTS) throw error;
        }
      }
    },
    async forgetEnded(at, onUnreadable) {
      const keyed = (key: string) => read(key).then((found) => ({ key, ...found }));
      for (const { key, version, ...found } of await listReadable(store, STOPS_PREFIX, keyed, onUnreadable)) {
        const stops = found.stops.filter(({ body }) => body.until > at);
        const glass = found.glass.filter(({ body }) => body.until > at);
        if (stops.length === found.stops.length && glass.length === found.glass.length) continue;
        try {
          await store.put(key, format.encode(key, { version: 1, ...found, stops, glass }), { ifVersion: version });
        } catch (error) {
          // Somebody has just stopped or thawed the repository, and the next round looks again.
          if (!(error instanceof VersionConflictError)) throw error;
        }
      }
    },
  };
}
