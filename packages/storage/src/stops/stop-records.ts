/** Who has stopped a repository: `stops/<owner>/<repo>.json`. Only control writes it. */
import { defined } from '@nereid/domain/defined';
import type { Stop } from '@nereid/domain/gates';
import { stopsRecord, type StopsRecord } from '@nereid/domain/gates/record';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { listReadable, type OnUnreadable } from '../records/list-readable.ts';
import { STOPS_PREFIX, stopsKey } from '../records/record-keys.ts';

type Named = Pick<Repository, 'owner' | 'name'>;

type Stops = readonly Signed<Stop>[];

interface StopsAndThaw {
  readonly stops: Stops;
  /** When the last thaw was asked for, in ISO 8601; absent when there was none. */
  readonly thawedAt?: string;
}

export interface StopRecords {
  /** Also some that are over; nobody has verified them. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Named): Promise<Stops>;
  /** Replaces them by what `change` returns, which sees the newest ones and may be asked several times. */
  change(repository: Named, change: (found: StopsAndThaw) => StopsAndThaw): Promise<void>;
  /** Removes those that were over at this time, in ISO 8601, from all records that can be read. */
  forgetEnded(at: string, onUnreadable: OnUnreadable): Promise<void>;
}

/** As many people at once are more than a company has. */
const ATTEMPTS = 10;

const NONE: StopsAndThaw = { stops: [] };

const format = recordFormat<StopsRecord>(stopsRecord, 1);

export function createStopRecords(store: ObjectStore): StopRecords {
  async function read(key: string) {
    const found = await store.get(key);
    const { stops, thawedAt } = found === undefined ? NONE : format.decode(key, found.body);
    return { stops, ...defined({ thawedAt }), version: found?.version ?? ABSENT };
  }

  return {
    read: async (repository) => (await read(stopsKey(repository))).stops,
    async change(repository, change) {
      const key = stopsKey(repository);
      for (let attempt = 1; ; attempt += 1) {
        const { version, ...found } = await read(key);
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
        if (stops.length === found.stops.length) continue;
        try {
          await store.put(key, format.encode(key, { version: 1, ...found, stops }), { ifVersion: version });
        } catch (error) {
          // Somebody has just stopped or thawed the repository, and the next round looks again.
          if (!(error instanceof VersionConflictError)) throw error;
        }
      }
    },
  };
}
