/** Policies that deny a plan, unless their owners have overridden them. */
import { planPoliciesFor, type ServerConfig } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { Plan } from '@nereid/domain/plan';
import { fullName, type Repository } from '@nereid/domain/root';
import { objectingPolicies } from '@nereid/domain/gates';
import { placeOf } from '../root/root-place.ts';
import { PolicyChangedError } from './verify-policy.ts';

export interface Judged {
  readonly repository: Repository;
  /** Its plan and its overrides are verified. */
  readonly deployment: Deployment;
  readonly plan: Plan;
}

/** Throws a `PolicyChangedError` while the policies do not let the plan be applied. */
export function verifyPlanPolicies(server: ServerConfig, judged: Judged): void {
  const why = whyDenied(server, judged);
  if (why !== undefined) throw new PolicyChangedError(`${why}: press Re-run`);
}

/**
 * Undefined when each policy that the server's file requires by now has passed the plan, or an owner has overridden it. A plan
 * without changes applies nothing that a policy could deny.
 */
export function whyDenied(server: ServerConfig, { repository, deployment, plan }: Judged): string | undefined {
  if (!plan.hasChanges) return undefined;
  const { name, dir } = deployment.root;
  const today = planPoliciesFor(server, fullName(repository), placeOf(deployment.root));
  const required = today.filter(({ enforce }) => enforce === 'required').map((policy) => policy.name);
  const results = plan.policies ?? [];
  const missing = required.find((policy) => !results.some((result) => result.name === policy));
  if (missing !== undefined)
    return `the server's file has the policy ${missing} for ${name} in ${dir} by now, which has not judged this plan`;
  // One that was advisory when the plan was made may be required by now.
  const policies = results.map((result) => ({
    ...result,
    enforce: required.includes(result.name) ? ('required' as const) : ('advisory' as const),
  }));
  const [objecting] = objectingPolicies({ ...plan, policies }, deployment.progress.overrides);
  return objecting && `the policy ${objecting.name} denies this plan, and no owner of it has overridden that`;
}
