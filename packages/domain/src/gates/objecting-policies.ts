import type { MadePlan } from '../plan/model.ts';
import type { PolicyOverride, PolicyResult } from '../plan/policy.ts';
import type { Signed } from '../signed.ts';

/** The required policies that keep a plan from its apply. A plan without changes has none: there is nothing to apply. */
export function objectingPolicies(
  { hasChanges, digest, policies = [] }: Pick<MadePlan, 'hasChanges' | 'digest' | 'policies'>,
  overrides: readonly Signed<PolicyOverride>[] = [],
): readonly PolicyResult[] {
  if (!hasChanges) return [];
  return policies.filter(({ name, enforce, verdict }) => {
    const isOverridden = overrides.some(({ body }) => body.digest === digest && body.policies.includes(name));
    return enforce === 'required' && verdict !== 'passed' && !isOverridden;
  });
}

/** "the policy cost" or "the policies cost, tags". */
export function namePolicies(names: readonly string[]): string {
  return `the ${names.length === 1 ? 'policy' : 'policies'} ${names.join(', ')}`;
}
