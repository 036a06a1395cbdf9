/**
 * What came of the checks of waves, `rollout-checks/<owner>/<repo>/<sha>/<source>/<wave>.json`, and a list of the rollouts that have
 * checks to be asked, `checked-rollouts/…`, so that whoever asks them reads no others. Only control writes them.
 */
import { defined } from '@nereid/domain/defined';
import type { WaveChecks } from '@nereid/domain/gates';
import {
  checkedRolloutRecord,
  waveChecksRecord,
  type CheckedRolloutRecord,
  type WaveChecksRecord,
} from '@nereid/domain/gates/record';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { CHECKED_ROLLOUTS_PREFIX, checkedRolloutKey, rolloutChecksKey } from './rollout-keys.ts';

type Named = Pick<Repository, 'owner' | 'name'>;

export interface WaveCheckRecords {
  /** Nobody has verified it. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Named, rollout: string, wave: number): Promise<VersionedChecks | undefined>;
  /** Replaces exactly the version that was read; undefined: there was none. Returns whether it did, or somebody else was faster. */
  write(checks: Signed<WaveChecks>, ifVersion: string | undefined): Promise<boolean>;
  /** Adds a rollout to the list of those whose checks are asked. */
  add(repository: Repository, rollout: string): Promise<void>;
  /** The keys of at most 200 of them: the first, or those after a key. */
  list(after?: string): Promise<ListedRollouts>;
  /** Undefined when it was removed meanwhile. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  find(key: string): Promise<CheckedRolloutRecord | undefined>;
  remove(key: string): Promise<void>;
}

export interface ListedRollouts {
  readonly keys: readonly string[];
  /** The key after which others are listed; absent where none is left. */
  readonly next?: string;
}

export interface VersionedChecks {
  readonly checks: Signed<WaveChecks>;
  readonly version: string;
}

/** Those who ask for them hold these in memory, and come back for more. */
const LIMIT = 200;

const format = recordFormat<WaveChecksRecord>(waveChecksRecord, 1);
const listedFormat = recordFormat<CheckedRolloutRecord>(checkedRolloutRecord, 1);

export function createWaveCheckRecords(store: ObjectStore): WaveCheckRecords {
  return {
    async read(repository, rollout, wave) {
      const key = rolloutChecksKey(repository, rollout, wave);
      const found = await store.get(key);
      return found && { checks: format.decode(key, found.body).checks, version: found.version };
    },

    async write(checks, ifVersion = ABSENT) {
      const { repository, rollout, wave } = checks.body;
      const key = rolloutChecksKey(repository, rollout, wave);
      return isWritten(store.put(key, format.encode(key, { version: 1, checks }), { ifVersion }));
    },

    async add({ owner, name, installationId }, rollout) {
      const key = checkedRolloutKey({ owner, name }, rollout);
      // Hundreds of lanes may say so at once, and some stores take one write of an object a second.
      if ((await store.get(key)) !== undefined) return;
      const body = listedFormat.encode(key, { version: 1, repository: { owner, name, installationId }, rollout });
      await isWritten(store.put(key, body, { ifVersion: ABSENT }));
    },

    async list(after) {
      const options = { limit: LIMIT + 1, ...defined({ after }) };
      const found = await Array.fromAsync(store.list(CHECKED_ROLLOUTS_PREFIX, options));
      const keys = found.slice(0, LIMIT);
      return { keys, ...(found.length > LIMIT && defined({ next: keys.at(-1) })) };
    },

    async find(key) {
      const found = await store.get(key);
      return found && listedFormat.decode(key, found.body);
    },

    remove: (key) => store.delete(key),
  };
}

/** False when somebody else was faster. */
async function isWritten(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof VersionConflictError) return false;
    throw error;
  }
}
