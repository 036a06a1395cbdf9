import type { Deployment } from '../deployment/model.ts';
import type { MadePlan } from '../plan/model.ts';
import type { AutoRule, Root } from '../root/model.ts';
import { losesSomething } from '../deployment/rules/plan-counts.ts';
import { isConfirmedByRules } from './reviews/auto-when.ts';

type Judged = Pick<MadePlan, 'hasChanges' | 'summary' | 'types' | 'policies' | 'doubt'>;

/**
 * Whether a person must look at a plan before it is applied. A plan without changes never needs a review; one that does what this release
 * does not know, or that may be of something else than its people think, always does.
 */
export function needsReview(
  plan: Judged,
  { planReview: policy, autoWhen }: Pick<Root, 'planReview' | 'autoWhen'>,
  reviewRequired: boolean,
): boolean {
  if (!plan.hasChanges) return false;
  if (reviewRequired || plan.summary.unknown || plan.doubt !== undefined) return true;
  if (policy === 'auto' || isConfirmedByRules(autoWhen, plan)) return false;
  return policy !== 'auto_unless_destroy' || losesSomething(plan.summary);
}

/** The rules of the server's file that confirm the plan of a deployment, where a person would be asked without them. */
export function confirmingRules({ root, trigger, rerun, progress }: ConfirmedByRule): readonly AutoRule[] {
  const { plan, review } = progress;
  const isAsked = plan === undefined || plan.reviewRequired || review !== undefined || isByHand({ trigger, rerun });
  if (isAsked || trigger === 'preview') return [];
  const { planReview, autoWhen = [] } = root;
  const { body: made } = plan.made;
  return needsReview(made, { planReview }, false) && isConfirmedByRules(autoWhen, made) ? autoWhen : [];
}

type ConfirmedByRule = Pick<Deployment, 'root' | 'trigger' | 'rerun'> & {
  readonly progress: Pick<Deployment['progress'], 'plan' | 'review'>;
};

/** Whether somebody asked for the deployment, of a commit that may be on no branch that is deployed. It takes a review. */
export function isByHand({ trigger, rerun }: Pick<Deployment, 'trigger' | 'rerun'>): boolean {
  return trigger === 'manual' && !rerun;
}
