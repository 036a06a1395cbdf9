/** The wait for a person in Markdown, for the Temporal UI: the plan, the end of the wait, and who may answer. */
import type { MadePlan } from '../plan/model.ts';
import type { Root } from '../root/model.ts';
import { describeRule } from './describe-rule.ts';
import { describePeople, describeStanding } from './reviews/describe-standing.ts';
import { asksSeveral, type Approval } from './reviews/standing.ts';
import { planCounts } from '../deployment/rules/plan-counts.ts';

/** `expiresAt` is in ISO 8601. */
export function describeReviewWait(
  { permissions, review }: Root,
  { summary }: Pick<MadePlan, 'summary'>,
  expiresAt: string,
  answers: readonly Approval[] = [],
): string {
  return [
    `**Waits for a review** of ${planCounts(summary)}; ends ${expiresAt}.`,
    ...(asksSeveral(review) ? [`Needs ${describePeople(review)}: ${describeStanding(review, answers)}.`] : []),
    `Confirm takes ${describeRule('confirm', permissions.confirm)}; Reject takes ${describeRule('reject', permissions.reject)}.`,
  ].join('\n\n');
}
