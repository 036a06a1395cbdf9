import type { DeploymentRecord, PreviewSubject, PullRequestRecord, Repository } from '@nereid/contracts';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../records/record-format.ts';
import { previewedPrefix, previewKey, pullRequestKey } from '../records/record-keys.ts';
import { previewRecord, pullRequestRecord } from '../records/record-schemas.ts';

type Name = Pick<Repository, 'owner' | 'name'>;

/**
 * Pull requests and their previews: `pulls/<owner>/<repo>/<number>.json`, with `@<head>` after the number for a group of a
 * merge queue; `previews/<owner>/<repo>/<root>/<id>.json`; and an empty `previewed/<owner>/<repo>/<root>/<number>` for each
 * root that an open pull request has a preview of.
 */
export interface PullRequestRecords {
  /** Undefined for one that was never looked at. Throws `BrokenRecordError`, `UnknownRecordVersionError`. */
  read(repository: Name, subject: PreviewSubject): Promise<PullRequestRecord | undefined>;
  /**
   * Replaces the record by what `change` returns, which sees the newest one and may be asked several times. Nothing is written
   * when it returns undefined. Returns the record as it is then.
   */
  change(
    repository: Name,
    subject: PreviewSubject,
    change: (record: PullRequestRecord | undefined) => PullRequestRecord | undefined,
  ): Promise<PullRequestRecord | undefined>;
  /** A preview as it was ordered or, once it has ended, as it ended. */
  readPreview(repository: Name, rootName: string, id: string): Promise<PreviewRecord | undefined>;
  /** Stores a preview that was ordered, unless it is stored already. */
  openPreview(record: PreviewRecord): Promise<void>;
  /** Stores its end. */
  writePreview(record: PreviewRecord): Promise<void>;
  /** Remembers that a pull request has a preview of the root; `forget` is the inverse. */
  remember(repository: Name, rootName: string, number: number): Promise<void>;
  forget(repository: Name, rootName: string, number: number): Promise<void>;
  /** The numbers of the pull requests that have a preview of the root, the newest first, at most `limit`. */
  withRoot(repository: Name, rootName: string, limit: number): Promise<readonly number[]>;
  /** The numbers of the pull requests that have a preview of any root. */
  withRoots(repository: Name): Promise<ReadonlySet<number>>;
}

/** `endedAt` is absent before the end. */
export type PreviewRecord = Omit<DeploymentRecord, 'endedAt'> & Partial<Pick<DeploymentRecord, 'endedAt'>>;

/** A person asks for plans while the previews are looked at or shown. */
const ATTEMPTS = 5;

const pullRequests = recordFormat<PullRequestRecord>(pullRequestRecord, 1);
const previews = recordFormat<PreviewRecord>(previewRecord, 1);

export function createPullRequestRecords(store: ObjectStore): PullRequestRecords {
  async function read(key: string) {
    const found = await store.get(key);
    return { record: found && pullRequests.decode(key, found.body), version: found?.version ?? ABSENT };
  }

  return {
    read: async (repository, subject) => (await read(pullRequestKey(repository, subject))).record,

    async change(repository, subject, change) {
      const key = pullRequestKey(repository, subject);
      for (let attempt = 1; ; attempt += 1) {
        const { record, version } = await read(key);
        const changed = change(record);
        if (changed === undefined) return record;
        try {
          await store.put(key, pullRequests.encode(changed), { ifVersion: version });
          return changed;
        } catch (error) {
          if (!(error instanceof VersionConflictError) || attempt === ATTEMPTS) throw error;
        }
      }
    },

    async readPreview(repository, rootName, id) {
      const key = previewKey(repository, rootName, id);
      const found = await store.get(key);
      return found && previews.decode(key, found.body);
    },

    async openPreview(record) {
      const { root, id } = record.deployment;
      try {
        await store.put(previewKey(record.repository, root.name, id), previews.encode(record), { ifVersion: ABSENT });
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
      }
    },

    async writePreview(record) {
      const { root, id } = record.deployment;
      await store.put(previewKey(record.repository, root.name, id), previews.encode(record));
    },

    async remember(repository, rootName, number) {
      await store.put(`${previewedPrefix(repository, rootName)}${number}`, new Uint8Array());
    },

    async forget(repository, rootName, number) {
      await store.delete(`${previewedPrefix(repository, rootName)}${number}`);
    },

    async withRoot(repository, rootName, limit) {
      const prefix = previewedPrefix(repository, rootName);
      const numbers: number[] = [];
      for await (const key of store.list(prefix)) numbers.push(Number(key.slice(prefix.length)));
      return numbers
        .filter((number) => Number.isSafeInteger(number))
        .toSorted((one, other) => other - one)
        .slice(0, limit);
    },

    async withRoots(repository) {
      const numbers = new Set<number>();
      for await (const key of store.list(previewedPrefix(repository))) numbers.add(Number(key.split('/').at(-1)));
      return numbers;
    },
  };
}
