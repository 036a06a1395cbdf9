import { z } from 'zod';
import { partsOf, type Stored } from '../stored.ts';
import type { Signed } from '../signed.ts';
import type { MergeReview } from './merge-review.ts';

const text = z.string().min(1);

/** The review of a plan before its merge. */
export interface StoredMergeReview {
  readonly version: 1;
  readonly review: Signed<MergeReview>;
  /** The merge that it was found for: no other one finds it. */
  readonly usedBy?: string;
}

export const mergeReviewRecord = partsOf<StoredMergeReview>()(
  z.object({
    review: z.object({
      body: z.object({
        requestId: text,
        rootName: text,
        pullRequest: z.int().positive(),
        previewId: text,
        order: text,
        digest: text,
        tree: text,
        lane: text,
        by: text,
        at: z.iso.datetime(),
      }),
      signature: text,
    }),
    usedBy: text.optional(),
  }),
);

/** The state of a root as the newest plan found it. */
export const seenStateRecord = z.object({
  version: z.literal(1),
  /** As in `Plan`; absent when a deployment ended since. */
  stateVersion: z.string().exactOptional(),
  /** When that plan began or that deployment ended, ISO 8601. */
  at: z.iso.datetime(),
  /** Whether the plan before it found another one, although nothing was deployed in between. */
  isOutside: z.boolean(),
});
export type SeenStateRecord = Stored<typeof seenStateRecord>;
export type SeenState = Omit<SeenStateRecord, 'version'>;
