import type { Repository } from '@nereid/contracts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from './record-format.ts';
import { repositoryKey } from './record-keys.ts';
import { repositoryRecord } from './record-schemas.ts';

/** What is known of a repository as a whole. */
export interface RepositoryRecord {
  readonly version: 1;
  readonly repository: Repository;
  /** The branch that is deployed. */
  readonly branch: string;
  /** What came after this commit is deployed with the next push: nobody could read which roots it modifies. */
  readonly undeployedSince?: string;
  /** Up to this commit, what was pushed has reached its lanes, whatever became of the webhooks. */
  readonly reconciledTo?: string;
}

export interface VersionedRepository {
  readonly record: RepositoryRecord;
  readonly version: string;
}

/** One record for each repository that needed one: `repositories/<owner>/<repo>.json`. */
export interface RepositoryRecords {
  /** Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Pick<Repository, 'owner' | 'name'>): Promise<VersionedRepository | undefined>;
  /** Writes over exactly the version read (null: none was there). Throws `VersionConflictError`. */
  write(record: RepositoryRecord, ifVersion: string | null): Promise<void>;
}

/** The record with these marks. What else is known of the branch stays; of another branch nothing does. */
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
    ...(undeployedSince !== undefined && { undeployedSince }),
    ...(reconciledTo !== undefined && { reconciledTo }),
  };
}

/** Undefined takes a mark away. */
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
      await store.put(repositoryKey(record.repository), format.encode(record), { ifVersion: ifVersion ?? ABSENT });
    },
  };
}
