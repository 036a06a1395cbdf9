import { asksSeveral, standingOf } from '../../gates/reviews/standing.ts';
import type { PlanReview } from '../../plan/review.ts';
import type { Signed } from '../../signed.ts';
import type { Beginning } from '../activities.ts';

/** Throws where several people have to confirm a plan, and permission is asked before all of them have. */
export function requireAllApprovals(
  { deployment: { root, progress } }: Beginning,
  review: Signed<PlanReview>,
  signed: string,
): void {
  if (!asksSeveral(root.review)) return;
  const { approvals = [], plan } = progress;
  const isOfPlan = ({ body, signature }: Signed<PlanReview>) =>
    signature === signed && body.digest === plan?.made.body.digest && body.answer === 'approved';
  const { missing } = standingOf(
    root.review,
    approvals.map(({ body }) => body),
  );
  if (missing > 0 || !approvals.every(isOfPlan) || !approvals.some(({ body }) => body.by === review.body.by))
    throw new Error('permission is asked without all approvals of the plan');
}
