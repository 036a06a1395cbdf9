/** Anybody who reaches Temporal can answer as a host. What no host of ours says never reaches the rules of a deployment. */
import type { ApplyOutcome, PlanOutcome } from '@nereid/domain/deployment';
import type { Claim } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { ApplicationFailure } from '@temporalio/workflow';

const PLAN_KINDS: ReadonlySet<unknown> = new Set<PlanOutcome['kind']>(['planned', 'failed', 'apply-begun']);
const APPLY_KINDS: ReadonlySet<unknown> = new Set<ApplyOutcome['kind']>([
  ...(['applied', 'failed', 'unknown', 'not-begun', 'plan-unusable'] as const),
]);

/** Throws as for a claim that nobody signed, unless it names a host. */
export function readClaim(claim: Signed<Claim>): Signed<Claim> {
  const { hostId } = objectOf(objectOf(claim)['body']);
  if (typeof hostId !== 'string' || hostId === '') throw forged('claim/host');
  return claim;
}

/** Throws as for a plan that nobody signed, unless it is an outcome. */
export function readPlan(outcome: PlanOutcome): PlanOutcome {
  if (!PLAN_KINDS.has(objectOf(outcome)['kind'])) throw forged('plan');
  return outcome;
}

/** Its apply may have begun all the same. */
export function readApply(outcome: ApplyOutcome): ApplyOutcome {
  if (APPLY_KINDS.has(objectOf(outcome)['kind'])) return outcome;
  return { kind: 'unknown', why: 'The host answered something that is no outcome of an apply.' };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}; // Of any kind.
}

function forged(what: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`expected the ${what} of a host, found something else`, 'FORGED');
}
