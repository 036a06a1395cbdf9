import { rootPlaceRecord, type RootPlaceRecord } from '@nereid/domain/root/record';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { rootPlaceKey, type RootPlaceId } from './record-keys.ts';

/** One record for each place that was deployed: `places/<owner>/<repo>/<digest of directory and workspace>.json`. */
export interface RootPlaces {
  /** The names of the place, newest last; empty when it was never deployed. Throws `BrokenRecordError`. */
  namesAt(place: RootPlaceId): Promise<readonly string[]>;
  /** Makes this the newest name. */
  add(place: RootPlaceId, rootName: string): Promise<void>;
}

/** Nobody renames a root so often. A name that is dropped is new again. */
const NAMES_LIMIT = 100;

const ATTEMPTS = 5;

const format = recordFormat<RootPlaceRecord>(rootPlaceRecord, 1);

export function createRootPlaces(store: ObjectStore): RootPlaces {
  async function read(place: RootPlaceId) {
    const key = rootPlaceKey(place);
    const found = await store.get(key);
    const names = found === undefined ? [] : format.decode(key, found.body).names;
    return { key, names, version: found?.version ?? ABSENT };
  }

  return {
    namesAt: async (place) => (await read(place)).names,

    async add({ repository: { owner, name }, dir, workspace }, rootName) {
      const repository = { owner, name };
      for (let attempt = 1; ; attempt += 1) {
        const { key, names, version } = await read({ repository, dir, workspace });
        if (names.at(-1) === rootName) return;
        const others = names.filter((known) => known !== rootName);
        const record = {
          version: 1,
          repository,
          dir,
          workspace,
          names: [...others, rootName].slice(-NAMES_LIMIT),
        } as const;
        try {
          await store.put(key, format.encode(key, record), { ifVersion: version });
          return;
        } catch (error) {
          // Lanes of two names may end at the same moment.
          if (!(error instanceof VersionConflictError) || attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}
