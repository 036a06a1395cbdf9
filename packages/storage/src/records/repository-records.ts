import { repositoryRecord, type RepositoryRecord } from '@nereid/domain/root/record';
import { defined } from '@nereid/domain/defined';
import type { Repository } from '@nereid/domain/root';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import { repositoryKey } from './record-keys.ts';
import { createTakenDeliveries, type TakenDeliveries } from './taken-deliveries.ts';

export interface VersionedRepository {
  readonly record: RepositoryRecord;
  readonly version: string;
}

/** One record for each repository that needed one: `repositories/<owner>/<repo>.json`. */
export interface RepositoryRecords {
  /** Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Pick<Repository, 'owner' | 'name'>): Promise<VersionedRepository | undefined>;
  /** Replaces exactly the version that was read (null: there was none). Throws `VersionConflictError`. */
  write(record: RepositoryRecord, ifVersion: string | null): Promise<void>;
  /** The webhooks of all repositories. */
  readonly deliveries: TakenDeliveries;
}

/** The record with these marks. Stored marks of the same branch stay; those of another branch are dropped. */
export function withMarks(
  stored: VersionedRepository | undefined,
  { repository, branch }: Pick<RepositoryRecord, 'repository' | 'branch'>,
  marks: Marks,
): RepositoryRecord {
  const { undeployedSince, reconciledTo } = { ...(stored?.record.branch === branch && stored.record), ...marks };
  return {
    version: 1,
    repository,
    branch,
    ...defined({ undeployedSince, reconciledTo }),
  };
}

/** Undefined removes a mark. */
export interface Marks {
  readonly undeployedSince?: string | undefined;
  readonly reconciledTo?: string | undefined;
}

const format = recordFormat<RepositoryRecord>(repositoryRecord, 1);

export function createRepositoryRecords(store: ObjectStore): RepositoryRecords {
  return {
    async read(repository) {
      const key = repositoryKey(repository);
      const found = await store.get(key);
      return found && { record: format.decode(key, found.body), version: found.version };
    },
    async write(record, ifVersion) {
      const key = repositoryKey(record.repository);
      await store.put(key, format.encode(key, record), { ifVersion: ifVersion ?? ABSENT });
    },
    deliveries: createTakenDeliveries(store),
  };
}
