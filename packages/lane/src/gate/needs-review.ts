import type { Deployment, PlanOutcome, PlanReviewPolicy } from '@nereid/contracts';

/** Whether a person must look at a plan before it is applied. A plan without changes never needs a review. */
export function needsReview(
  plan: Pick<Extract<PlanOutcome, { readonly kind: 'planned' }>, 'hasChanges' | 'summary'>,
  policy: PlanReviewPolicy,
  reviewRequired: boolean,
): boolean {
  if (!plan.hasChanges) return false;
  if (reviewRequired || policy === 'required' || policy === 'before_merge') return true;
  return policy === 'auto_unless_destroy' && plan.summary.delete + plan.summary.replace > 0;
}

/** Whether somebody asked for the deployment, of a commit that may be on no branch that is deployed. It takes a review. */
export function isByHand({ trigger, rerun }: Pick<Deployment, 'trigger' | 'rerun'>): boolean {
  return trigger === 'manual' && !rerun;
}
