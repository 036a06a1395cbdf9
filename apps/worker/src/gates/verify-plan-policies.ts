/** Policies that deny a plan, unless their owners have overridden them. */
import { placeOf, planPoliciesFor, type ServerConfig } from '@nereid/config';
import type { Deployment } from '@nereid/domain/deployment';
import type { Plan } from '@nereid/domain/plan';
import { fullName, type Repository } from '@nereid/domain/root';
import { askGate, type GateFacts } from '@nereid/domain/gates';
import { requireOpenGate } from '../platform/failures/gate-closed.ts';

export interface Judged {
  readonly repository: Repository;
  /** Its plan and its overrides are verified. */
  readonly deployment: Deployment;
  readonly plan: Plan;
}

/** Throws while the policies do not let the plan be applied. */
export function verifyPlanPolicies(server: ServerConfig, judged: Judged): void {
  requireOpenGate('policy', policyFacts(server, judged));
}

/** Undefined when each policy that the server's file requires by now has passed the plan, or an owner has overridden it. */
export function whyDenied(server: ServerConfig, judged: Judged): string | undefined {
  const answer = askGate('policy', policyFacts(server, judged), Date.now());
  return answer.kind === 'passes' ? undefined : answer.sentence;
}

/** A plan without changes applies nothing that a policy could deny. */
function policyFacts(server: ServerConfig, { repository, deployment, plan }: Judged): GateFacts['policy'] {
  const { overrides } = deployment.progress;
  const { body: made } = plan.made;
  if (!made.hasChanges) return { plan: made, overrides };
  const { name, dir } = deployment.root;
  const today = planPoliciesFor(server, fullName(repository), placeOf(deployment.root));
  const required = today.filter(({ enforce }) => enforce === 'required').map((policy) => policy.name);
  const results = made.policies ?? [];
  const missing = required.find((policy) => !results.some((result) => result.name === policy));
  const unjudged =
    missing &&
    `the server's file has the policy ${missing} for ${name} in ${dir} by now, which has not judged this plan`;
  // One that was advisory when the plan was made may be required by now.
  const policies = results.map((result) => ({
    ...result,
    enforce: required.includes(result.name) ? ('required' as const) : ('advisory' as const),
  }));
  return { plan: { ...made, policies }, overrides, unjudged };
}
