/** Reviews before the merge: a person confirms the plan of a pull request, and its merge applies exactly that plan. */
import type { Job } from '../host/job.ts';
import type { PlanReview } from './review.ts';
import type { Signed } from '../signed.ts';
import type { Plan } from './model.ts';

/**
 * The merge for which the plan of a preview was made. Present when, and only when, a person may confirm that plan for the merge.
 */
export interface ForMerge {
  /** Git's id of all planned files, 40 hex digits. A squash, a rebase and a merge commit of the same files have the same. */
  readonly tree: string;
  /** Where the lane stood when the plan was ordered: any apply since then makes it another one. */
  readonly lane: string;
}

/**
 * A person's review of the plan of a preview. Intake signs it, after it asked the forge whether this person may. Only control
 * stores it.
 */
export interface MergeReview extends ForMerge {
  readonly version: 1;
  /** `<delivery>:<root>` of the press. */
  readonly requestId: string;
  readonly rootName: string;
  readonly pullRequest: number;
  /** The preview that made the plan. */
  readonly previewId: string;
  /** Intake's signature over the preview's order. */
  readonly order: string;
  /** The plan's digest, 64 hex digits. */
  readonly digest: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
}

/** The review that intake found for a merge, as the order of its deployment has it. Whether it holds is judged later. */
export interface ReviewedBefore {
  readonly review: Signed<MergeReview>;
  /** The deployment that waited or ran in the lane when the merge came. It goes first. */
  readonly ahead?: string;
}

/** Who confirmed the plan of a preview for the merge, and when. */
export interface ConfirmedForMerge {
  /** Login on the forge. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Whether the plan that was reviewed before the merge may be applied. */
export type ReviewedPlan =
  | {
      readonly kind: 'usable';
      readonly plan: Plan;
      /** The job that made it. */
      readonly job?: Job;
      /** Control's word that this review holds for this deployment. */
      readonly approval: Signed<PlanReview>;
    }
  /** A sentence that says what is different. */
  | { readonly kind: 'unusable'; readonly why: string };
