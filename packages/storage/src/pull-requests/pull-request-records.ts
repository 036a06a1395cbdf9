import { previewRecord, pullRequestRecord, type PreviewRecord } from '@nereid/domain/pull-request/record';
import type { PreviewSubject, PullRequestRecord } from '@nereid/domain/pull-request';
import type { Repository } from '@nereid/domain/root';
import { VersionConflictError } from '../errors.ts';
import { changeObject } from '../objects/change-object.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { recordFormat } from '../record-format.ts';
import {
  PREVIEW_DAYS_PREFIX,
  PULL_DAYS_PREFIX,
  parsePreviewDayKey,
  parsePullDayKey,
  previewDayKey,
  previewKey,
  previewedPrefix,
  pullDayKey,
  pullRequestKey,
  type PreviewPlace,
} from './pull-request-keys.ts';
import { placesBefore } from './places-before.ts';

type Name = Pick<Repository, 'owner' | 'name'>;

/**
 * Pull requests and their previews: `pulls/<owner>/<repo>/<number>.json`, with `@<head>` after the number for a group of a
 * merge queue; `previews/<owner>/<repo>/<root>/<id>.json`; and an empty `previewed/<owner>/<repo>/<root>/<number>` for each
 * root that an open pull request has a preview of. An empty `preview-days/<day>/<owner>/<repo>/<root>/<id>` says when a preview
 * was ordered, or was found to be of use last; `pull-days/<day>/pulls/…` when a pull request was first heard of, or found open.
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
  /** Pull requests and groups that were first heard of, or kept, on earlier days (UTC) than that, the oldest first, at most `limit`. */
  pullRequestsBefore(day: Date, limit: number): Promise<readonly OldPullRequest[]>;
  /** Has it count as first heard of now. */
  keepPullRequest(place: OldPullRequest): Promise<void>;
  removePullRequest(place: OldPullRequest): Promise<void>;
  /** Stores a preview that was ordered, unless it is stored already. */
  openPreview(record: PreviewRecord): Promise<void>;
  /** Stores its end. */
  writePreview(record: PreviewRecord): Promise<void>;
  /** The previews that were ordered on earlier days (UTC) than that, the oldest first, at most `limit`. */
  previewsBefore(day: Date, limit: number): Promise<readonly OldPreview[]>;
  /** Has the preview count as ordered now. */
  keepPreview(place: OldPreview): Promise<void>;
  removePreview(place: OldPreview): Promise<void>;
  /** Remembers that a pull request has a preview of the root; `forget` is the inverse. */
  remember(repository: Name, rootName: string, number: number): Promise<void>;
  forget(repository: Name, rootName: string, number: number): Promise<void>;
  /** Forgets that a pull request has previews, of whichever roots. */
  forgetAll(repository: Name, number: number): Promise<void>;
  /** The numbers of the pull requests that have a preview of the root, the newest first, at most `limit`. */
  withRoot(repository: Name, rootName: string, limit: number): Promise<readonly number[]>;
  /** The numbers of the pull requests that have a preview of any root. */
  withRoots(repository: Name): Promise<ReadonlySet<number>>;
}

/** `day` is of its key: the day on which it was ordered. */
export interface OldPreview extends PreviewPlace {
  readonly day: string;
}

/** `day` is of its key. */
export interface OldPullRequest extends Name {
  readonly subject: PreviewSubject;
  readonly day: string;
}

/** A person asks for plans while the previews are looked at or shown. */
const ATTEMPTS = 5;

const pullRequests = recordFormat<PullRequestRecord>(pullRequestRecord, 1);

const previews = recordFormat<PreviewRecord>(previewRecord, 1);

export function createPullRequestRecords(store: ObjectStore): PullRequestRecords {
  async function mark(place: PreviewPlace, ordered: Date): Promise<void> {
    await store.put(previewDayKey(PREVIEW_DAYS_PREFIX, ordered, place), new Uint8Array());
  }

  async function unmark(place: OldPreview): Promise<void> {
    await store.delete(previewDayKey(PREVIEW_DAYS_PREFIX, new Date(place.day), place));
  }

  return {
    async read(repository, subject) {
      const key = pullRequestKey(repository, subject);
      const found = await store.get(key);
      return found && pullRequests.decode(key, found.body);
    },

    async change(repository, subject, change) {
      const key = pullRequestKey(repository, subject);
      return changeObject<PullRequestRecord | undefined>(store, key, { attempts: ATTEMPTS }, async (found) => {
        const record = found && pullRequests.decode(key, found.body);
        const changed = change(record);
        if (changed === undefined) return { body: undefined, result: record };
        // First, so that no record stays for ever.
        if (!found) await store.put(pullDayKey(new Date(), repository, subject), new Uint8Array());
        return { body: pullRequests.encode(key, changed), result: changed };
      });
    },

    async readPreview(repository, rootName, id) {
      const key = previewKey(repository, rootName, id);
      const found = await store.get(key);
      return found && previews.decode(key, found.body);
    },

    pullRequestsBefore: (day, limit) => placesBefore(store.list(PULL_DAYS_PREFIX, { limit }), day, parsePullDayKey),

    async keepPullRequest({ day, subject, ...repository }) {
      await store.put(pullDayKey(new Date(), repository, subject), new Uint8Array());
      await store.delete(pullDayKey(new Date(day), repository, subject));
    },

    async removePullRequest({ day, subject, ...repository }) {
      await store.delete(pullRequestKey(repository, subject));
      // Last, so that another attempt finds what this one has left.
      await store.delete(pullDayKey(new Date(day), repository, subject));
    },

    async openPreview(record) {
      const { root, id, receivedAt } = record.deployment;
      const { owner, name } = record.repository;
      // First, so that no preview stays for ever.
      await mark({ owner, name, rootName: root.name, id }, new Date(receivedAt));
      const key = previewKey(record.repository, root.name, id);
      try {
        await store.put(key, previews.encode(key, record), { ifVersion: ABSENT });
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
      }
    },

    async writePreview(record) {
      const { root, id } = record.deployment;
      const key = previewKey(record.repository, root.name, id);
      await store.put(key, previews.encode(key, record));
    },

    previewsBefore: (day, limit) =>
      placesBefore(store.list(PREVIEW_DAYS_PREFIX, { limit }), day, (key) =>
        parsePreviewDayKey(PREVIEW_DAYS_PREFIX, key),
      ),

    async keepPreview(place) {
      await mark(place, new Date());
      await unmark(place);
    },

    async removePreview(place) {
      await store.delete(previewKey(place, place.rootName, place.id));
      // Last, so that another attempt finds what this one has left.
      await unmark(place);
    },

    async remember(repository, rootName, number) {
      await store.put(`${previewedPrefix(repository, rootName)}${number}`, new Uint8Array());
    },

    async forget(repository, rootName, number) {
      await store.delete(`${previewedPrefix(repository, rootName)}${number}`);
    },

    async forgetAll(repository, number) {
      const keys: string[] = [];
      for await (const key of store.list(previewedPrefix(repository))) if (key.endsWith(`/${number}`)) keys.push(key);
      for (const key of keys) await store.delete(key);
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
