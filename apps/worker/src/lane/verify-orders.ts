/**
 * What an activity is asked to show or to store comes through Temporal. Only deployments that intake ordered are shown on the forge
 * and recorded, exactly as they were ordered.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  orderKind,
  orderOf,
  plannedFor,
  type AppliedCounts,
  type Deployment,
  type HostEnd,
  type HostOutcome,
  type Order,
  type Presentation,
  type Progress,
  type Shown,
} from '@nereid/domain/deployment';
import { isJobOf } from '@nereid/domain/host';
import type { MadePlan, Plan } from '@nereid/domain/plan';
import { poolOf, type Repository } from '@nereid/domain/root';
import { ForgedError, type Proven } from '@nereid/signature';
import { openReview, verifyApprovals, verifyOverrides } from './verify-decisions.ts';
import { verifyStoredEnd, type StoredEndContext } from './verify-stored-end.ts';

export type VerifyContext = StoredEndContext;

type Signing = Pick<VerifyContext, 'signatures'>;

/** Throws a `ForgedError`, unless intake ordered the deployment. Its account of its progress may be anybody's word. */
export function openOrder(
  { signatures }: Signing,
  { repository, deployment }: { readonly repository: Repository; readonly deployment: Deployment },
): Promise<Proven<Order>> {
  return signatures.open(orderKind(deployment), orderOf(repository, deployment), {});
}

/**
 * Throws a `ForgedError`, unless intake ordered the deployment, and everything that it says of people and hosts is theirs.
 * `saidAtMs` is for what may be late, as in `verifyStoredEnd`.
 */
export async function verifyDeployment(
  context: VerifyContext,
  { repository, deployment }: { readonly repository: Repository; readonly deployment: Deployment },
  saidAtMs?: number,
): Promise<void> {
  await verifySignatures(context, { repository, deployment });
  await verifyStoredEnd(context, repository, deployment, saidAtMs);
}

/** The same for a deployment as it was at some moment, whatever storage knows of it since. */
export async function verifySignatures(
  context: Signing,
  { repository, deployment }: { readonly repository: Repository; readonly deployment: Deployment },
): Promise<void> {
  await openOrder(context, { repository, deployment });
  if (deployment.confirmedForMerge)
    throw context.signatures.forged('decision/merge-review', 'no signature', deployment.id);
  verifyJobs(context, deployment);
  await verifyShownPlan(context, deployment);
  await verifyAnswer(context, deployment);
  await verifyApprovals(context, deployment);
  await verifyOverrides(context, deployment);
  await verifyEnd(context, deployment);
}

/** Throws a `ForgedError`, unless a host of the deployment's pool made the plan. */
export function openPlan({ signatures }: Signing, deployment: Deployment, plan: Plan): Promise<Proven<MadePlan>> {
  const about = { pool: poolOf(deployment.root), ...plannedFor(deployment, plan) };
  return signatures.open('result/plan', plan.made, about);
}

/** A host made the plan that people see, and its end is one of such a plan. */
async function verifyShownPlan(context: Signing, deployment: Deployment): Promise<void> {
  const { signatures } = context;
  const { id, trigger, progress } = deployment;
  const { plan, status } = progress;
  if (plan === undefined) {
    if (status === 'awaiting-review' || status === 'planned') throw signatures.forged('result/plan', 'no plan', id);
    return;
  }
  const { body: made } = await openPlan(context, deployment, plan);
  if (status === 'planned' && trigger !== 'preview') throw signatures.forged('result/plan', 'the end of a preview', id);
  if ((status === 'no-changes' && made.hasChanges) || (status === 'succeeded' && !made.hasChanges))
    throw signatures.forged('result/plan', 'an end that does not belong to this plan', id);
}

/** Its jobs are its own, or that of the preview that made its plan: nobody is shown the log or the text of another job. */
function verifyJobs({ signatures }: Signing, { id, reviewed, progress }: Deployment): void {
  const { jobs, plan } = progress;
  const planner = plan?.beforeMerge && reviewed ? reviewed.review.body.previewId : id;
  if (jobs.plan !== undefined && !isJobOf(planner, 'plan', jobs.plan.id))
    throw signatures.forged('result/plan', 'a job of another deployment', id);
  if (jobs.apply !== undefined && !isJobOf(id, 'apply', jobs.apply.id))
    throw signatures.forged('result/outcome', 'a job of another deployment', id);
}

/** The person who is said to have answered did so. */
async function verifyAnswer(context: Signing, { id, progress }: Deployment): Promise<void> {
  const { signatures } = context;
  const { review, plan, status } = progress;
  if (review === undefined) {
    if (status === 'rejected') throw signatures.forged('decision/review', 'no review', id);
    return;
  }
  const { body } = await openReview(context, review.press, id);
  if (body.digest !== plan?.made.body.digest) throw signatures.forged('decision/review', 'one of another plan', id);
  if (body.answer !== review.answer || body.by !== review.by || body.byId !== review.byId)
    throw signatures.forged('decision/review', 'another answer than was given', id);
}

/** An end that says what an apply came to comes from the host. Any other end claims nothing that storage could not deny. */
async function verifyEnd({ signatures }: Signing, { id, order = '', root, progress }: Deployment): Promise<void> {
  const outcome = claimedBy(progress);
  if (outcome === undefined) return;
  const about = { pool: poolOf(root), deploymentId: id, order };
  const { body } = await signatures.open('result/outcome', progress.proof, about);
  if (!isDeepStrictEqual(endIn(body), outcome))
    throw signatures.forged('result/outcome', 'another end than its host signed', id);
}

function endIn(outcome: HostOutcome): HostEnd {
  return outcome.kind === 'applied'
    ? { kind: 'applied', counts: outcome.counts }
    : { kind: 'failed', summary: outcome.summary };
}

/** The end's account of an apply; undefined if it has none. */
export function claimedBy({ status, applied, failure }: Progress): HostEnd | undefined {
  switch (status) {
    case 'succeeded':
    case 'no-changes':
      return { kind: 'applied', counts: applied ?? NOTHING };
    case 'apply-failed':
      return { kind: 'failed', summary: failure?.body.summary ?? '' };
    default:
      return undefined;
  }
}

const NOTHING: AppliedCounts = { added: 0, changed: 0, destroyed: 0, imported: 0 };

/** Those of the deployments in this repository that intake ordered. */
export async function onlyOrdered<T extends { readonly deployment: Deployment }>(
  context: VerifyContext,
  repository: Repository,
  all: readonly T[],
): Promise<readonly T[]> {
  const verified = await Promise.all(
    all.map(async (one) => ((await isOrdered(context, repository, one.deployment)) ? [one] : [])),
  );
  return verified.flat();
}

/** The answer for what is not shown. */
export function refusedToShow({ deployment }: Presentation): Shown {
  return {
    deploymentId: deployment.id,
    kind: 'refused',
    why: 'nobody ordered this deployment, or nobody signed what it says of a person or a host',
  };
}

async function isOrdered(context: VerifyContext, repository: Repository, deployment: Deployment): Promise<boolean> {
  // A preview is none of a lane, whoever ordered it.
  if (deployment.trigger === 'preview') return false;
  try {
    await verifyDeployment(context, { repository, deployment });
    return true;
  } catch (error) {
    if (error instanceof ForgedError) return false;
    throw error;
  }
}
