import type { MergeReview, Repository } from '@nereid/contracts';
import { VersionConflictError } from '../errors.ts';
import { ABSENT, type ObjectStore } from '../objects/object-store.ts';
import { mergeReviewsPrefix } from '../records/record-keys.ts';
import { recordFormat } from '../records/record-format.ts';
import { mergeReviewRecord } from '../records/record-schemas.ts';

type Name = Pick<Repository, 'owner' | 'name'>;

export interface StoredMergeReview extends MergeReview {
  /** The merge that it was found for: no other one finds it. */
  readonly usedBy?: string;
}

/** The reviews of plans before their merge, one for each preview: `merge-reviews/<owner>/<repo>/<root>/<preview id>.json`. */
export interface MergeReviews {
  /** Stores a review, unless the plan has one. Returns the one that it has then. */
  open(repository: Name, review: MergeReview): Promise<StoredMergeReview>;
  read(repository: Name, rootName: string, previewId: string): Promise<StoredMergeReview | undefined>;
  /** The reviews of a root, at most `limit`. */
  list(repository: Name, rootName: string, limit: number): Promise<readonly StoredMergeReview[]>;
  /** Keeps it from all other merges. False when another one has it, or when it is gone. */
  use(repository: Name, review: MergeReview, usedBy: string): Promise<boolean>;
  /** A missing review is not a failure. */
  remove(repository: Name, rootName: string, previewId: string): Promise<void>;
}

const format = recordFormat<StoredMergeReview>(mergeReviewRecord, 1);

export function createMergeReviews(store: ObjectStore): MergeReviews {
  async function read(key: string) {
    const found = await store.get(key);
    return found && { review: format.decode(key, found.body), version: found.version };
  }

  return {
    async open(repository, review) {
      const key = keyOf(repository, review.rootName, review.previewId);
      try {
        await store.put(key, format.encode(review), { ifVersion: ABSENT });
        return review;
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        return (await read(key))?.review ?? review;
      }
    },

    read: async (repository, rootName, previewId) => (await read(keyOf(repository, rootName, previewId)))?.review,

    async list(repository, rootName, limit) {
      const reviews: StoredMergeReview[] = [];
      for await (const key of store.list(mergeReviewsPrefix(repository, rootName), { limit })) {
        const found = await read(key);
        if (found !== undefined) reviews.push(found.review);
      }
      return reviews;
    },

    async use(repository, { rootName, previewId }, usedBy) {
      const key = keyOf(repository, rootName, previewId);
      const found = await read(key);
      if (found === undefined) return false;
      if (found.review.usedBy !== undefined) return found.review.usedBy === usedBy;
      try {
        await store.put(key, format.encode({ ...found.review, usedBy }), { ifVersion: found.version });
        return true;
      } catch (error) {
        if (!(error instanceof VersionConflictError)) throw error;
        return (await read(key))?.review.usedBy === usedBy;
      }
    },

    async remove(repository, rootName, previewId) {
      await store.delete(keyOf(repository, rootName, previewId));
    },
  };
}

function keyOf(repository: Name, rootName: string, previewId: string): string {
  return `${mergeReviewsPrefix(repository, rootName)}${previewId}.json`;
}
