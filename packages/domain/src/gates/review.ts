/** A person confirms the plan, where the root or the deployment asks for that. One Reject ends the deployment. */
import type { Review } from '../plan/review.ts';
import type { PermissionRules } from '../root/model.ts';
import { describeReview } from './describe-rule.ts';
import { PASSES, type Gate } from './gate.ts';

export interface ReviewFacts {
  readonly isRequired: boolean;
  /** Of the present plan. */
  readonly answer: Review['answer'] | undefined;
  /** Who may confirm. */
  readonly rules: PermissionRules | undefined;
}

export const gateOfReview = {
  doors: ['confirm', 'apply'],
  waitAtApply: 'ends it',
  decide({ isRequired, answer, rules }) {
    if (answer === 'rejected')
      return { kind: 'refuses', status: 'rejected', sentence: 'a person has rejected this plan' };
    if (answer === 'approved' || !isRequired) return PASSES;
    return { kind: 'waits', sentence: `this plan waits for ${describeReview(rules)}`, who: ['confirm', 'reject'] };
  },
} as const satisfies Gate<ReviewFacts>;
