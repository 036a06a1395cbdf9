import { mergeReviewRecord, type StoredMergeReview } from '@nereid/domain/plan/record';
import type { MergeReview } from '@nereid/domain/plan';
import type { Repository } from '@nereid/domain/root';
import type { Signed } from '@nereid/domain/signed';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import {
  FOR_MERGE_DAYS_PREFIX,
  mergeReviewTreePrefix,
  mergeReviewsPrefix,
  parsePreviewDayKey,
  previewDayKey,
  type PreviewPlace,
} from './pull-request-keys.ts';
import type { OldPreview } from './pull-request-records.ts';
import { placesBefore } from './places-before.ts';
import { recordFormat } from '../record-format.ts';

type Name = Pick<Repository, 'owner' | 'name'>;

/**
 * The reviews of plans before their merge, one for each preview: `merge-reviews/<owner>/<repo>/<root>/<preview id>.json`. An empty
 * `merge-review-trees/<owner>/<repo>/<root>/<tree>/<preview id>` finds those of the files that were merged. An empty
 * `for-merge-days/<day>/<owner>/<repo>/<root>/<preview id>` says from when on the plan of a preview is kept for a merge.
 */
export interface MergeReviews {
  /** Stores a review, unless the plan has one. Returns the one that it has then. */
  open(repository: Name, review: Signed<MergeReview>): Promise<StoredMergeReview>;
  read(repository: Name, rootName: string, previewId: string): Promise<StoredMergeReview | undefined>;
  /** The reviews of all plans that were made of exactly these files. */
  ofTree(repository: Name, rootName: string, tree: string): Promise<readonly StoredMergeReview[]>;
  /** Some reviews of a root, at most `limit`. */
  list(repository: Name, rootName: string, limit: number): Promise<readonly StoredMergeReview[]>;
  /** Keeps it from all other merges. False when another one has it, or when it is gone. */
  use(repository: Name, review: Pick<MergeReview, 'rootName' | 'previewId'>, usedBy: string): Promise<boolean>;
  /** A missing review is not a failure. */
  remove(repository: Name, rootName: string, previewId: string): Promise<void>;
  /** Remembers that the plan of a preview is kept from that day on; `forget` is the inverse. */
  keepFrom(place: PreviewPlace, day: Date): Promise<void>;
  forget(place: OldPreview): Promise<void>;
  /** The previews whose plans are kept from earlier days (UTC) on, the oldest first, at most `limit`. */
  keptBefore(day: Date, limit: number): Promise<readonly OldPreview[]>;
}

const format = recordFormat<StoredMergeReview>(mergeReviewRecord, 1);

export function createMergeReviews(store: ObjectStore): MergeReviews {
  async function read(key: string) {
    const found = await store.get(key);
    return found && { record: format.decode(key, found.body), version: found.version };
  }

  async function readEach(keys: Iterable<string> | AsyncIterable<string>): Promise<readonly StoredMergeReview[]> {
    const records: StoredMergeReview[] = [];
    for await (const key of keys) {
      const found = await read(key);
      if (found !== undefined) records.push(found.record);
    }
    return records;
  }

  return {
    async open(repository, review) {
      const key = keyOf(repository, review.body.rootName, review.body.previewId);
      const record = { version: 1, review } as const;
      // First, so that every review that is stored is found.
      await store.put(treeKeyOf(repository, review.body), new Uint8Array());
      try {
        await store.put(key, format.encode(key, record), { ifVersion: ABSENT });
        return record;
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        return (await read(key))?.record ?? record;
      }
    },

    read: async (repository, rootName, previewId) => (await read(keyOf(repository, rootName, previewId)))?.record,

    async ofTree(repository, rootName, tree) {
      const prefix = mergeReviewTreePrefix(repository, { rootName, tree });
      const keys: string[] = [];
      for await (const key of store.list(prefix)) keys.push(keyOf(repository, rootName, key.slice(prefix.length)));
      return readEach(keys);
    },

    list: (repository, rootName, limit) => readEach(store.list(mergeReviewsPrefix(repository, rootName), { limit })),

    async use(repository, { rootName, previewId }, usedBy) {
      const key = keyOf(repository, rootName, previewId);
      const found = await read(key);
      if (found === undefined) return false;
      if (found.record.usedBy !== undefined) return found.record.usedBy === usedBy;
      try {
        await store.put(key, format.encode(key, { ...found.record, usedBy }), { ifVersion: found.version });
        return true;
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        return (await read(key))?.record.usedBy === usedBy;
      }
    },

    async remove(repository, rootName, previewId) {
      const key = keyOf(repository, rootName, previewId);
      const found = await read(key);
      if (found === undefined) return;
      await store.delete(treeKeyOf(repository, found.record.review.body));
      // Last, because it says what else there is to remove.
      await store.delete(key);
    },

    async keepFrom(place, day) {
      await store.put(previewDayKey(FOR_MERGE_DAYS_PREFIX, day, place), new Uint8Array());
    },

    async forget(place) {
      await store.delete(previewDayKey(FOR_MERGE_DAYS_PREFIX, new Date(place.day), place));
    },

    keptBefore: (day, limit) =>
      placesBefore(store.list(FOR_MERGE_DAYS_PREFIX, { limit }), day, (key) =>
        parsePreviewDayKey(FOR_MERGE_DAYS_PREFIX, key),
      ),
  };
}

function keyOf(repository: Name, rootName: string, previewId: string): string {
  return `${mergeReviewsPrefix(repository, rootName)}${previewId}.json`;
}

function treeKeyOf(repository: Name, review: MergeReview): string {
  return `${mergeReviewTreePrefix(repository, review)}${review.previewId}`;
}
