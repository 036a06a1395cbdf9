import type { Progress } from '../../deployment/progress.ts';
import type { Plan } from '../../plan/model.ts';
import type { Review } from '../../plan/review.ts';
import type { Root } from '../../root/model.ts';
import type { GateAt, GateFacts } from '../gates.ts';

/** The facts of the gates at the door `confirm`, for the deployment itself and for people who ask why it waits. */
export function confirmFacts(
  { permissions, review: people }: Pick<Root, 'permissions' | 'review'>,
  { overrides, approvals }: Pick<Progress, 'overrides' | 'approvals'>,
  plan: Plan,
  answer: Review['answer'] | undefined,
): Pick<GateFacts, GateAt<'confirm'>> {
  return {
    policy: { plan: plan.made.body, overrides },
    review: {
      ...{ isRequired: plan.reviewRequired, answer, rules: permissions.confirm },
      ...{ people, approvals: approvals?.map(({ body }) => body) },
    },
  };
}
