/** Required policies that deny a plan keep it from its apply, until their owners override them. */
import type { MadePlan } from '../plan/model.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { Signed } from '../signed.ts';
import { PASSES, type Gate } from './gate.ts';
import { objectingPolicies } from './objecting-policies.ts';

export interface PolicyFacts {
  readonly plan: Pick<MadePlan, 'hasChanges' | 'digest' | 'policies'>;
  readonly overrides: readonly Signed<PolicyOverride>[] | undefined;
  /** Why a required policy has not judged the plan: the plan has to be made again. */
  readonly unjudged?: string | undefined;
}

export const gateOfPolicy = {
  doors: ['confirm', 'apply'],
  waitAtApply: 'ends it',
  decide({ plan, overrides, unjudged }) {
    if (unjudged !== undefined) return { kind: 'refuses', status: 'refused', sentence: unjudged };
    const [objecting] = objectingPolicies(plan, overrides);
    if (objecting === undefined) return PASSES;
    const sentence = `the policy ${objecting.name} denies this plan, and no owner of it has overridden that`;
    return { kind: 'waits', sentence, who: ['override'] };
  },
} as const satisfies Gate<PolicyFacts>;
