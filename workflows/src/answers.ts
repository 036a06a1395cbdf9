/** Anybody who reaches Temporal can answer as a host. What no host of ours says never reaches the rules of a deployment. */
import type { ApplyOutcome, PlannedOnHost, PlanOutcome } from '@nereid/domain/deployment';
import type { AtWork, Claim, WaitExplained } from '@nereid/domain/host';
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
  return isHostId(objectOf(objectOf(claim)['body'])['hostId']);
}

/** Whether it can be a host's: it becomes the name of a queue, and a workflow that asks for a queue that cannot be hangs. */
function isHostId(hostId: unknown): hostId is string {
  return typeof hostId === 'string' && HOST_ID.test(hostId);
}

const HOST_ID = /^[\w-]{1,64}$/;

/** Throws as for a claim that nobody signed, unless it names a host. */
export function readClaim(claim: Signed<Claim>): Signed<Claim> {
  if (!isClaim(claim)) throw forged('claim/host');
  return claim;
}

/** Throws as for a plan that nobody signed, unless it names a host and has an outcome. */
export function readPlanned(planned: PlannedOnHost): PlannedOnHost {
  const { claim, since, outcome } = objectOf(planned);
  if (!isClaim(claim as Signed<Claim>)) throw forged('claim/host'); // It may be anything.
  if (typeof since !== 'string' || !isOf(PLANS, objectOf(outcome))) throw forged('result/plan');
  return planned;
}

/** The host that is said to be at work; undefined where none is named. */
export function readAtWork(said: unknown): AtWork | undefined {
  const { hostId, since } = objectOf(said);
  return isHostId(hostId) && typeof since === 'string' ? { hostId, since } : undefined;
}

/** As if nobody knew why, unless it says why or names a host. */
export function readExplained(explained: WaitExplained): WaitExplained {
  const { kind, why } = objectOf(explained);
  const isKnown =
    kind === 'at work' ? readAtWork(explained) !== undefined : kind === 'waits' && typeof why === 'string';
  return isKnown ? explained : { kind: 'waits', why: 'Waiting for a host' };
}

/** Its apply may have begun all the same. */
export function readApply(outcome: ApplyOutcome): ApplyOutcome {
  if (isApply(objectOf(outcome))) return outcome;
  return { kind: 'unknown', why: 'The answer of the host is not the outcome of an apply.' };
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
