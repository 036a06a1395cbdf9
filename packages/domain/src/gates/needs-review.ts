import type { Deployment } from '../deployment/model.ts';
import type { MadePlan } from '../plan/model.ts';
import type { PlanReviewPolicy } from '../root/model.ts';
import { losesSomething } from '../deployment/rules/plan-counts.ts';

/**
 * Whether a person must look at a plan before it is applied. A plan without changes never needs a review; one that does what this release
 * does not know always does.
 */
export function needsReview(
  plan: Pick<MadePlan, 'hasChanges' | 'summary'>,
  policy: PlanReviewPolicy,
  reviewRequired: boolean,
): boolean {
  if (!plan.hasChanges) return false;
  if (reviewRequired || policy === 'required' || policy === 'before_merge' || plan.summary.unknown) return true;
  return policy === 'auto_unless_destroy' && losesSomething(plan.summary);
}

/** Whether somebody asked for the deployment, of a commit that may be on no branch that is deployed. It takes a review. */
export function isByHand({ trigger, rerun }: Pick<Deployment, 'trigger' | 'rerun'>): boolean {
  return trigger === 'manual' && !rerun;
}
