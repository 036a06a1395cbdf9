import { laneTurn } from '@nereid/domain/lane/record';
import type { LaneTurn } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import { changeObject } from '../objects/change-object.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { laneTurnKey, TURNS_PREFIX } from './record-keys.ts';

export type TurnChange = Omit<LaneTurn, 'version' | 'repository' | 'rootName'>;

/** The applies of lanes, one record for each lane: `turns/<owner>/<repo>/<root>.json`. */
export interface LaneTurns {
  /** Undefined for a lane that was never applied or unlocked. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): Promise<LaneTurn | undefined>;
  /** Of all lanes. Throws as `read` does. */
  list(): AsyncIterable<LaneTurn>;
  /**
   * Replaces the record by what `change` returns, which sees the newest one and may be asked several times. Nothing is
   * written when it returns undefined, or throws.
   */
  change(
    repository: Pick<Repository, 'owner' | 'name'>,
    rootName: string,
    change: (turn: LaneTurn | undefined) => Promise<TurnChange | undefined>,
  ): Promise<void>;
}

/** Two writers meet when a person lifts a lock while an apply begins. */
const ATTEMPTS = 5;

const format = recordFormat<LaneTurn>(laneTurn, 1);

export function createLaneTurns(store: ObjectStore): LaneTurns {
  async function read(key: string) {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  }

  return {
    read: async (repository, rootName) => read(laneTurnKey(repository, rootName)),

    async *list() {
      for await (const key of store.list(TURNS_PREFIX)) {
        const turn = await read(key);
        if (turn !== undefined) yield turn;
      }
    },

    async change({ owner, name }, rootName, change) {
      const repository = { owner, name };
      const key = laneTurnKey(repository, rootName);
      await changeObject(store, key, { attempts: ATTEMPTS }, async (found) => {
        const changed = await change(found && format.decode(key, found.body));
        const turn = changed && ({ version: 1, repository, rootName, ...changed } as const);
        return { body: turn && format.encode(key, turn), result: undefined };
      });
    },
  };
}
