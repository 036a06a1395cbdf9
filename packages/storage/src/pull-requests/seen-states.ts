import { seenStateRecord, type SeenState, type SeenStateRecord } from '@nereid/domain/plan/record';
import type { Repository } from '@nereid/domain/root';
import { changeObject } from '../objects/change-object.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { seenStateKey } from './pull-request-keys.ts';

type Name = Pick<Repository, 'owner' | 'name'>;

/** One record for each root of which pull requests are planned: `seen-states/<owner>/<repo>/<root>.json`. */
export interface SeenStates {
  /** Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Name, rootName: string): Promise<SeenState | undefined>;
  /**
   * Replaces the record by what `change` returns, which sees the newest one and may be asked several times. Nothing is written
   * when it returns undefined.
   */
  change(
    repository: Name,
    rootName: string,
    change: (seen: SeenState | undefined) => SeenState | undefined,
  ): Promise<void>;
}

/** Many plans of a root may end at once, and most of them write nothing. */
const ATTEMPTS = 5;

const format = recordFormat<SeenStateRecord>(seenStateRecord, 1);

export function createSeenStates(store: ObjectStore): SeenStates {
  return {
    async read(repository, rootName) {
      const key = seenStateKey(repository, rootName);
      const found = await store.get(key);
      return found && format.decode(key, found.body);
    },

    async change(repository, rootName, change) {
      const key = seenStateKey(repository, rootName);
      await changeObject(store, key, { attempts: ATTEMPTS }, (found) => {
        const changed = change(found && format.decode(key, found.body));
        return { body: changed && format.encode(key, { ...changed, version: 1 }), result: undefined };
      });
    },
  };
}
