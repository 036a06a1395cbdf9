import type { PlanReview } from '../plan/review.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { Signed } from '../signed.ts';

/**
 * Signal `notice`, in an envelope of control, to a lane or a terraform workflow: a sentence shown at the top of the deployment's
 * check run until its next state, and for some seconds at least. A lane that does not know the deployment drops it.
 */
export interface Notice {
  readonly version: 1;
  readonly deploymentId: string;
  /** May name a user or a branch: hostile. At most 500 characters. */
  readonly sentence: string;
}

/** The proof that a sentence comes from control, or that the person named in it has answered. */
export type NoticeProof =
  | { readonly kind: 'notice'; readonly notice: Signed<Notice> }
  /** Of an answer that changed nothing, as intake signed it. */
  | { readonly kind: 'review'; readonly review: Signed<PlanReview> | Signed<PolicyOverride> };

/**
 * The sentences that workflows say by themselves, without a proof. Anything else without one is not shown, because anybody who
 * reaches Temporal could have said it.
 */
export const OWN_NOTICES = {
  confirmUnchecked: 'A Confirm could not be checked, so it does not count. Press it again.',
  /** The workflow adds why, which is left to the log. */
  recordUnreadable: 'The record of this root cannot be read',
} as const;

/** For people, at most 500 characters. Without a proof, it is one of our own, or about a proven cancellation. */
export interface Said {
  readonly sentence: string;
  readonly proof?: NoticeProof;
}

/** The sentence of a notice. */
export function saidBy(notice: Signed<Notice>): Said {
  return { sentence: notice.body.sentence, proof: { kind: 'notice', notice } };
}

export interface ShownNotice extends Said {
  /** ISO 8601. */
  readonly at: string;
  /** Present once the deployment has moved on: the notice stays until then, so that it can be read. */
  readonly until?: string;
}
