import { rootPlaceRecord, type RootPlaceRecord } from '@nereid/domain/root/record';
import { changeObject } from '../objects/change-object.ts';
import type { ObjectStore, StoredObject } from '../objects/object-store.ts';
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
  return {
    async namesAt(place) {
      const key = rootPlaceKey(place);
      return namesIn(key, await store.get(key));
    },

    async add({ repository: { owner, name }, dir, workspace }, rootName) {
      const place = { repository: { owner, name }, dir, workspace };
      const key = rootPlaceKey(place);
      // Lanes of two names may end at the same moment.
      await changeObject(store, key, { attempts: ATTEMPTS }, (found) => {
        const names = namesIn(key, found);
        if (names.at(-1) === rootName) return { body: undefined, result: undefined };
        const others = names.filter((known) => known !== rootName);
        const record = { version: 1, ...place, names: [...others, rootName].slice(-NAMES_LIMIT) } as const;
        return { body: format.encode(key, record), result: undefined };
      });
    },
  };
}

function namesIn(key: string, found: StoredObject | undefined): readonly string[] {
  return found === undefined ? [] : format.decode(key, found.body).names;
}
