/** People confirm the plan, where the root or the deployment asks for that. One Reject ends the deployment. */
import type { Review } from '../plan/review.ts';
import type { PermissionRules, ReviewRules } from '../root/model.ts';
import { describeReview } from './describe-rule.ts';
import { PASSES, type Gate } from './gate.ts';
import { asksSeveral, standingOf, type Approval } from './reviews/standing.ts';

export interface ReviewFacts {
  readonly isRequired: boolean;
  /** Of the present plan. */
  readonly answer: Review['answer'] | undefined;
  /** Who may confirm. */
  readonly rules: PermissionRules | undefined;
  /** Who has to; absent where one person is enough. */
  readonly people?: ReviewRules | undefined;
  /** Of the present plan, where several people have to confirm it. */
  readonly approvals?: readonly Approval[] | undefined;
}

export const gateOfReview = {
  doors: ['confirm', 'apply'],
  waitAtApply: 'ends it',
  decide(facts) {
    const { isRequired, answer, rules, people, approvals = [] } = facts;
    if (answer === 'rejected')
      return { kind: 'refuses', status: 'rejected', sentence: 'a person has rejected this plan' };
    if (!isRequired || isConfirmed(facts)) return PASSES;
    const sentence = `this plan waits for ${describeReview(rules, people, approvals)}`;
    return { kind: 'waits', sentence, who: ['confirm', 'reject'] };
  },
} as const satisfies Gate<ReviewFacts>;

function isConfirmed({ answer, people, approvals = [] }: ReviewFacts): boolean {
  return asksSeveral(people) ? standingOf(people, approvals).missing === 0 : answer === 'approved';
}
