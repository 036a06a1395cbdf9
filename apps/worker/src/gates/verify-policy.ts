/** The server's file may have become stricter since a deployment was ordered. */
import { policyFor, settingsFor, type RepositoryPolicy, type ServerConfig } from '@nereid/config';
import type { Plan } from '@nereid/domain/plan';
import { fullName, type PlanReviewPolicy, type Repository, type Root } from '@nereid/domain/root';
import { needsReview, type GateFacts } from '@nereid/domain/gates';
import { requireOpenGate } from '../platform/failures/gate-closed.ts';
import { placeOf } from '../root/root-place.ts';

/** The server's file refuses what it allowed when the deployment was ordered. */
class PolicyChangedError extends Error {
  override readonly name = 'PolicyChangedError';
  readonly code = 'POLICY_CHANGED';
}

interface Applied {
  readonly repository: Repository;
  readonly root: Root;
  readonly plan: Plan;
  /** Whether a person approved the plan. */
  readonly isReviewed: boolean;
}

/** Throws when the repository is not allowed any more, or when the plan takes a review by now. */
export function verifyPolicy(server: ServerConfig, { repository, root, plan, isReviewed }: Applied): void {
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined)
    throw new PolicyChangedError(`the server's file does not allow ${fullName(repository)} any more`);
  const isRequired = needsReview(plan.made.body, reviewOf(policy, root), false);
  const answer = isReviewed ? 'approved' : undefined;
  requireOpenGate('review', { isRequired, answer, rules: root.permissions.confirm });
}

/** How old a plan may be that is applied now. One without changes applies nothing. */
export function ageFacts(
  server: ServerConfig,
  { repository, root, plan }: Omit<Applied, 'isReviewed'>,
): GateFacts['age'] {
  const { plannedAt, hasChanges } = plan.made.body;
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined || !hasChanges) return { plannedAt };
  return { plannedAt, limitMs: settingsFor(policy, placeOf(root)).maxPlanAgeMs };
}

/** Whether a review before the merge is enough for this root by now. */
export function allowsReviewBefore(server: ServerConfig, repository: Repository, root: Root): boolean {
  const policy = policyFor(server, fullName(repository));
  if (policy === undefined || root.planReview !== 'before_merge') return false;
  return reviewOf(policy, root) !== 'required';
}

/** What the server demands, whatever the repository says. */
function reviewOf(policy: RepositoryPolicy, root: Root): PlanReviewPolicy {
  const { planReview, fixed } = settingsFor(policy, placeOf(root));
  const isRepositorys = policy.allowedOverrides.includes('plan_review') && fixed.planReview === undefined;
  return isRepositorys ? 'auto' : planReview;
}
