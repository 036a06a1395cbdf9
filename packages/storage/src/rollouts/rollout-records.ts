import type { SkippedSoak } from '@nereid/domain/gates';
import { skippedSoakRecord, type SkippedSoakRecord } from '@nereid/domain/gates/record';
import { rolloutRecord } from '@nereid/domain/rollout/record';
import { type EndedStatus, ENDED_STATUSES } from '@nereid/domain/deployment';
import type { Rollout, RolloutEnd } from '@nereid/domain/rollout';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import pMap from 'p-map';
import { BrokenRecordError, VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import {
  rolloutEndKey,
  rolloutEndsPrefix,
  rolloutKey,
  rolloutSkipKey,
  rolloutSkipsPrefix,
  rolloutsPrefix,
} from './rollout-keys.ts';

/**
 * Deployments of one revision that wait for each other: `rollouts/<owner>/<repo>/<sha>/<source>.json`. How each ended is in the
 * name of an object of its own, so that one listing answers for all of them.
 */
export interface RolloutRecords {
  /** Stores the rollout and returns it, or returns the one that an earlier attempt stored. */
  write(record: Rollout): Promise<Rollout>;
  read(repository: Pick<Repository, 'owner' | 'name'>, id: string): Promise<Rollout | undefined>;
  /** All rollouts of a revision: of its merge and of its re-runs, at most 100, in any order. */
  ofRevision(repository: Pick<Repository, 'owner' | 'name'>, sha: string): Promise<readonly Rollout[]>;
  /** Remembers how a root ended. Another end of the same root is remembered as well. */
  end(repository: Pick<Repository, 'owner' | 'name'>, id: string, rootName: string, end: RolloutEnd): Promise<void>;
  /** The ends of the roots that have ended, by name. Of several ends of one, each is there. */
  ends(repository: Pick<Repository, 'owner' | 'name'>, id: string): Promise<ReadonlyMap<string, readonly KnownEnd[]>>;
  /** Remembers that somebody skipped a wave. */
  skip(repository: Pick<Repository, 'owner' | 'name'>, skipped: Signed<SkippedSoak>): Promise<void>;
  /** The skipped waves; nobody has verified them. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  skips(repository: Pick<Repository, 'owner' | 'name'>, id: string): Promise<readonly Signed<SkippedSoak>[]>;
}

/** An end, and when it was stored last, in epoch milliseconds. */
export type KnownEnd = RolloutEnd & { readonly at: number };

const format = recordFormat<Rollout>(rolloutRecord, 1);
const skipFormat = recordFormat<SkippedSoakRecord>(skippedSoakRecord, 1);

const CARRIED = 'carried=';

/** Nobody re-runs a revision more often. */
const OF_REVISION_LIMIT = 100;

/** Far below what one prefix of a bucket takes in a second. */
const AT_ONCE = 32;

export function createRolloutRecords(store: ObjectStore): RolloutRecords {
  async function read(key: string): Promise<Rollout | undefined> {
    const found = await store.get(key);
    return found && format.decode(key, found.body);
  }

  return {
    async write(record) {
      const key = rolloutKey(record.repository, record.id);
      try {
        await store.put(key, format.encode(key, record), { ifVersion: ABSENT });
        return record;
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        const stored = await read(key);
        if (stored === undefined) throw new BrokenRecordError(key, 'it went while it was read', { cause: error });
        return stored;
      }
    },

    read: (repository, id) => read(rolloutKey(repository, id)),

    async ofRevision(repository, sha) {
      const keys = await Array.fromAsync(store.list(rolloutsPrefix(repository, sha), { limit: OF_REVISION_LIMIT }));
      const found = await pMap(keys, read, { concurrency: AT_ONCE });
      return found.filter((rollout) => rollout !== undefined);
    },

    async end(repository, id, rootName, end) {
      const how = end.kind === 'ended' ? end.status : `${CARRIED}${end.deploymentId}`;
      await store.put(rolloutEndKey(repository, id, rootName, how), Buffer.from('\n'));
    },

    async ends(repository, id) {
      const prefix = rolloutEndsPrefix(repository, id);
      const ends = new Map<string, readonly KnownEnd[]>();
      for await (const { key, writtenMs: at } of store.listStamped(prefix)) {
        const [rootName = '', how = ''] = key.slice(prefix.length).split('/');
        const end = parseEnd(how);
        if (end) ends.set(rootName, [...(ends.get(rootName) ?? []), { ...end, at }]);
      }
      return ends;
    },

    async skip(repository, skipped) {
      const { rollout, wave } = skipped.body;
      const key = rolloutSkipKey(repository, rollout, wave);
      await store.put(key, skipFormat.encode(key, { version: 1, skipped }));
    },

    async skips(repository, id) {
      const keys = await Array.fromAsync(store.list(rolloutSkipsPrefix(repository, id)));
      const found = await pMap(keys, (key) => store.get(key).then((one) => ({ key, one })), { concurrency: AT_ONCE });
      return found.flatMap(({ key, one }) => (one === undefined ? [] : [skipFormat.decode(key, one.body).skipped]));
    },
  };
}

function parseEnd(how: string): RolloutEnd | undefined {
  if (how.startsWith(CARRIED)) return { kind: 'carried', deploymentId: how.slice(CARRIED.length) };
  return isEndedStatus(how) ? { kind: 'ended', status: how } : undefined;
}

function isEndedStatus(word: string): word is EndedStatus {
  return (ENDED_STATUSES as readonly string[]).includes(word);
}
