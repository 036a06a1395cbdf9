/** The server's file may have become stricter since a deployment was ordered. */
import { placeOf, policyFor, settingsFor, type RepositoryPolicy, type ServerConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { asksSeveral, needsReview, strictestReview } from '@nereid/domain/gates';
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

/** Throws when the server's file does not allow the repository any more. */
export function requirePolicy(server: ServerConfig, repository: Repository): RepositoryPolicy {
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined)
    throw new PolicyChangedError(`the server's file does not allow ${fullName(repository)} any more`);
  return policy;
}

/** Throws when the plan takes a review by now, or more of them. */
export function verifyPolicy(server: ServerConfig, { repository, root, plan, approvals }: Applied): void {
  const policy = requirePolicy(server, repository);
  const { review, autoWhen } = settingsFor(policy, placeOf(root));
  const people = strictestReview(root.review, review);
  const isRequired = needsReview(
    plan.made.body,
    { planReview: reviewOf(policy, root), ...defined({ autoWhen }) },
    false,
  );
  const answer = approvals.length > 0 ? 'approved' : undefined;
  requireOpenGate('review', { isRequired, answer, rules: root.permissions.confirm, people, approvals });
}

/** Throws when the plan, or one of its approvals, is too old by now. The age of one without changes does not matter. */
export function verifyAge(server: ServerConfig, { repository, root, plan, approvals }: Applied): void {
  const { plannedAt, hasChanges } = plan.made.body;
  const { maxPlanAgeMs, review } = settingsFor(requirePolicy(server, repository), placeOf(root));
  requireOpenGate('age', { plannedAt, limitMs: hasChanges ? maxPlanAgeMs : undefined });
  // What was reviewed before the merge has a time of its own.
  if (plan.beforeMerge) return;
  const expiresMs = strictestReview(root.review, review)?.expiresMs;
  for (const approval of approvals) refuseOldApproval(approval, Date.now(), expiresMs);
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
