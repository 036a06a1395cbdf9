/** The server's file may have become stricter since a deployment was ordered. */
import { placeOf, policyFor, settingsFor, type RepositoryPolicy, type ServerConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { asksSeveral, needsReview, strictestReview, type GateFacts } from '@nereid/domain/gates';
import type { Plan, PlanReview } from '@nereid/domain/plan';
import { fullName, type PlanReviewPolicy, type Repository, type Root } from '@nereid/domain/root';
import { refuseOldApproval } from '../lane/turn/review-outdated.ts';
import { requireOpenGate } from '../platform/failures/gate-closed.ts';

/** The server's file refuses what it allowed when the deployment was ordered. */
class PolicyChangedError extends Error {
  override readonly name = 'PolicyChangedError';
  readonly code = 'POLICY_CHANGED';
}

interface Applied {
  readonly repository: Repository;
  readonly root: Root;
  readonly plan: Plan;
  /** Of the plan, and verified. */
  readonly approvals: readonly PlanReview[];
}

/** Throws when the repository is not allowed any more, or when the plan takes a review by now, or more of them, or newer ones. */
export function verifyPolicy(server: ServerConfig, { repository, root, plan, approvals }: Applied): void {
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined)
    throw new PolicyChangedError(`the server's file does not allow ${fullName(repository)} any more`);
  const { review, autoWhen } = settingsFor(policy, placeOf(root));
  const people = strictestReview(root.review, review);
  // What was reviewed before the merge has a time of its own.
  if (!plan.beforeMerge) for (const approval of approvals) refuseOldApproval(approval, Date.now(), people?.expiresMs);
  const isRequired = needsReview(
    plan.made.body,
    { planReview: reviewOf(policy, root), ...defined({ autoWhen }) },
    false,
  );
  const answer = approvals.length > 0 ? 'approved' : undefined;
  requireOpenGate('review', { isRequired, answer, rules: root.permissions.confirm, people, approvals });
}

/** How old a plan may be that is applied now. One without changes applies nothing. */
export function ageFacts(
  server: ServerConfig,
  { repository, root, plan }: Pick<Applied, 'repository' | 'root' | 'plan'>,
): GateFacts['age'] {
  const { plannedAt, hasChanges } = plan.made.body;
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined || !hasChanges) return { plannedAt };
  return { plannedAt, limitMs: settingsFor(policy, placeOf(root)).maxPlanAgeMs };
}

/** Whether a review before the merge, which is one person's, is enough for this root by now. */
export function allowsReviewBefore(server: ServerConfig, repository: Repository, root: Root): boolean {
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined || root.planReview !== 'before_merge') return false;
  const { review } = settingsFor(policy, placeOf(root));
  return reviewOf(policy, root) !== 'required' && !asksSeveral(strictestReview(root.review, review));
}

/** What the server demands, whatever the repository says. */
function reviewOf(policy: RepositoryPolicy, root: Root): PlanReviewPolicy {
  const { planReview, fixed } = settingsFor(policy, placeOf(root));
  const isRepositorys = policy.allowedOverrides.includes('plan_review') && fixed.planReview === undefined;
  return isRepositorys ? 'auto' : planReview;
}
