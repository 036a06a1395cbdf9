/** Anybody who reaches Temporal can answer as a host. What no host of ours says never reaches the rules of a deployment. */
import type { ApplyOutcome, PlanOutcome } from '@nereid/domain/deployment';
import type { Claim } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import { ApplicationFailure } from '@temporalio/workflow';

type Fields = Readonly<Record<string, unknown>>;

/** For each outcome, whether it has what the rules read of it. */
const PLANS: Readonly<Record<PlanOutcome['kind'], (outcome: Fields) => boolean>> = {
  planned: ({ plan }) => isPlan(objectOf(plan)),
  failed: isFailure,
  'apply-begun': ({ outcome }) => isApply(objectOf(outcome)),
};

const APPLIES: Readonly<Record<ApplyOutcome['kind'], (outcome: Fields) => boolean>> = {
  applied: ({ counts }) => typeof counts === 'object' && counts !== null,
  failed: isFailure,
  unknown: ({ why }) => typeof why === 'string',
  'plan-unusable': ({ why }) => typeof why === 'string',
  'not-begun': () => true,
};

/** Whether it names a host. */
export function isClaim(claim: Signed<Claim>): boolean {
  const { hostId } = objectOf(objectOf(claim)['body']);
  return typeof hostId === 'string' && hostId !== '';
}

/** Throws as for a claim that nobody signed, unless it names a host. */
export function readClaim(claim: Signed<Claim>): Signed<Claim> {
  if (!isClaim(claim)) throw forged('claim/host');
  return claim;
}

/** Throws as for a plan that nobody signed, unless it is an outcome. */
export function readPlan(outcome: PlanOutcome): PlanOutcome {
  if (!isOf(PLANS, objectOf(outcome))) throw forged('result/plan');
  return outcome;
}

/** Its apply may have begun all the same. */
export function readApply(outcome: ApplyOutcome): ApplyOutcome {
  if (isApply(objectOf(outcome))) return outcome;
  return { kind: 'unknown', why: 'The host answered something that is no outcome of an apply.' };
}

function isApply(outcome: Fields): boolean {
  return isOf(APPLIES, outcome);
}

function isOf(kinds: Readonly<Record<string, (outcome: Fields) => boolean>>, outcome: Fields): boolean {
  const kind = String(outcome['kind']);
  return Object.hasOwn(kinds, kind) && kinds[kind]?.(outcome) === true;
}

function isPlan({ body, signature }: Fields): boolean {
  const { digest, hasChanges, summary } = objectOf(body);
  const isWhole = typeof digest === 'string' && Array.isArray(objectOf(summary)['resources']);
  return isWhole && typeof hasChanges === 'boolean' && typeof signature === 'string';
}

function isFailure({ failure }: Fields): boolean {
  const { summary, lines } = objectOf(objectOf(failure)['body']);
  return typeof summary === 'string' && Array.isArray(lines);
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // Of any kind.
}

function forged(what: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`expected the ${what} of a host, found something else`, 'FORGED');
}
