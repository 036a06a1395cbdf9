import type { Signed } from '../signed.ts';
import type { MadePlan } from './model.ts';
import type { PlanReview } from './review.ts';

/** A plan of a deployment that people confirmed, and that could not be used. */
export interface ConfirmedPlan {
  readonly made: Signed<MadePlan>;
  /** All that it took, as intake signed them. */
  readonly approvals: readonly Signed<PlanReview>[];
}

/** Whether the answers to a plan that could not be used count for the plan that was made in its place. */
export type CarriedReview =
  /** Control's word that these people confirmed an equal plan. */
  | { readonly kind: 'carried'; readonly approvals: readonly Signed<PlanReview>[] }
  /** People are asked again. */
  | { readonly kind: 'not-carried'; readonly why: string };
