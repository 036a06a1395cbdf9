/**
 * The facts that signatures are about. A signature stands beside them in the same message; `packages/signature` makes and
 * verifies it, in processes only. Workflows carry it and never look at it.
 */
import type { Deployment, Failure, Plan, Review } from './deployment.ts';
import type { ReceivedEvent, UserAction } from './intake/intake.ts';
import type { Cancel, Unlock } from './lane.ts';
import type { LateOutcome } from './late-outcome.ts';
import type { Repository } from './repository.ts';
import type { ApplyJob, EndedApply, Go, HostJob, Order, PlanOutcome, PlanReview } from './terraform.ts';

/** What the gateway signs: that GitHub sent this, and when. */
export function eventFacts(received: Omit<ReceivedEvent, 'signature'>): object {
  const { version, delivery, receivedAt, bodyDigest, event } = received;
  return { version, delivery, receivedAt, bodyDigest, event };
}

/** What intake signs: that the person of this delivery asked for this, and got this answer. */
export function userActionFacts(delivery: string, { signature: _none, ...action }: UserAction): object {
  return { delivery, ...action };
}

/** The parts of a deployment that never change after it was ordered. */
export type Ordered = Pick<
  Deployment,
  | 'id'
  | 'requestId'
  | 'root'
  | 'revision'
  | 'trigger'
  | 'rerun'
  | 'force'
  | 'requestedBy'
  | 'requestedById'
  | 'pullRequest'
  | 'preview'
  | 'formerly'
  | 'reviewed'
  | 'rollout'
  | 'orderedAt'
  | 'installationId'
>;

/** As what an order is signed. The order of a preview is another thing: nobody gives leave to apply for it. */
export function orderKind({ trigger }: Pick<Ordered, 'trigger'>): 'order' | 'preview' {
  return trigger === 'preview' ? 'preview' : 'order';
}

/** What intake signs: that this revision may be deployed to this root, or planned, and who asked for it. */
export function orderFacts(repository: Repository, ordered: Ordered): object {
  const { owner, name, installationId } = orderedIn(repository, ordered);
  const { id, requestId, root, revision, trigger, rerun, force } = ordered;
  const { requestedBy, requestedById, pullRequest, preview, formerly, reviewed, rollout, orderedAt } = ordered;
  const request = { id, requestId, root, revision, trigger, rerun, force, requestedBy, requestedById };
  const more = { pullRequest, preview, formerly, reviewed, rollout, orderedAt };
  return { repository: { owner, name, installationId }, ...request, ...more };
}

/** The repository as it was ordered. `known` is what a workflow knows of it, which may have an older number. */
export function orderedIn(known: Repository, order: Pick<Ordered, 'installationId'>): Repository {
  return { ...known, installationId: order.installationId ?? known.installationId };
}

/** The parts of an order that a host only passes on. */
export function orderOf(deployment: Deployment): Order {
  const { requestId, trigger, rerun, force, requestedById, pullRequest, preview } = deployment;
  const { formerly, reviewed, rollout, orderedAt, installationId, order } = deployment;
  return {
    requestId,
    trigger,
    rerun,
    force,
    ...(requestedById !== undefined && { requestedById }),
    ...(pullRequest !== undefined && { pullRequest }),
    ...(preview !== undefined && { preview }),
    ...(formerly !== undefined && { formerly }),
    ...(reviewed !== undefined && { reviewed }),
    ...(rollout !== undefined && { rollout }),
    ...(orderedAt !== undefined && { orderedAt }),
    ...(installationId !== undefined && { installationId }),
    ...(order !== undefined && { signature: order }),
  };
}

/** What a job says that was ordered: exactly the fields that the host uses, and no others that came with them. */
export function orderOfJob({ deploymentId: id, root, revision, requestedBy, order }: HostJob): Ordered {
  const { requestId, trigger, rerun, force, requestedById, pullRequest, preview } = order;
  const { formerly, reviewed, rollout, orderedAt, installationId } = order;
  return {
    ...{ id, requestId, root, revision, trigger, rerun, force, requestedBy },
    ...(requestedById !== undefined && { requestedById }),
    ...(pullRequest !== undefined && { pullRequest }),
    ...(preview !== undefined && { preview }),
    ...(formerly !== undefined && { formerly }),
    ...(reviewed !== undefined && { reviewed }),
    ...(rollout !== undefined && { rollout }),
    ...(orderedAt !== undefined && { orderedAt }),
    ...(installationId !== undefined && { installationId }),
  };
}

/** A job with what was ordered and nothing else: fields that came beside it, which nobody signed, are left behind. */
export function onlyOrderedOf(job: HostJob): HostJob {
  const { id: deploymentId, root, revision, requestedBy, ...order } = orderOfJob(job);
  const { owner, name, installationId } = job.repository;
  const { signature } = job.order;
  return {
    ...{ deploymentId, jobId: job.jobId, repository: { owner, name, installationId }, root, revision, requestedBy },
    order: { ...order, ...(signature !== undefined && { signature }) },
  };
}

/** The same for an apply, with the leave for it. */
export function onlyAllowedOf(job: ApplyJob): ApplyJob {
  const { digest, hostId, go, review } = job;
  const { expiresAt, isEmpty, signature } = go;
  return {
    ...onlyOrderedOf(job),
    ...{ digest, hostId, go: { expiresAt, ...(isEmpty && { isEmpty }), signature } },
    ...(review && { review }),
  };
}

/** What a host signs: that it is the one that answered a claim of this deployment. */
export function claimFacts(deploymentId: string, hostId: string): object {
  return { deploymentId, hostId };
}

/** What a host signs: that this is the plan of that order. `order` is the order's signature. */
export function planFacts(
  deploymentId: string,
  order: string | undefined,
  plan: Omit<Extract<PlanOutcome, { readonly kind: 'planned' }>, 'kind' | 'signature'>,
): object {
  const { digest, hasChanges, summary, textDigest, policies, warnings, stateVersion, newWorkspace } = plan;
  const more = { textDigest, policies, warnings, stateVersion, newWorkspace };
  return { deploymentId, order, digest, hasChanges, summary, ...more };
}

/** The same for a plan of a deployment, which may be the one of the preview that its order names. */
export function planFactsOf(
  { id, order, reviewed }: Pick<Deployment, 'id' | 'order' | 'reviewed'>,
  plan: Plan,
): object {
  return plan.beforeMerge && reviewed
    ? planFacts(reviewed.previewId, reviewed.order, plan)
    : planFacts(id, order, plan);
}

/** What intake signs: that this person, who may, gave this answer. */
export function reviewFacts({ version, requestId, deploymentId, answer, digest, by, byId, at }: PlanReview): object {
  return { version, requestId, deploymentId, answer, digest, by, byId, at };
}

/** The press of a button from which a review was taken; undefined when the review does not say. */
export function pressOf(deploymentId: string, { answer, by, byId, press }: Review): PlanReview | undefined {
  return press && { version: 1, deploymentId, answer, by, ...(byId !== undefined && { byId }), ...press };
}

/**
 * What a host signs: how the apply of this job ended. Of a failure only the first line, because the others are shortened on
 * their way.
 */
export function outcomeFacts(
  deploymentId: string,
  jobId: string,
  order: string | undefined,
  outcome: Exclude<EndedApply, { readonly kind: 'unknown' }>,
): object {
  const facts = { deploymentId, jobId, order, kind: outcome.kind };
  return outcome.kind === 'applied'
    ? { ...facts, counts: outcome.counts }
    : { ...facts, summary: outcome.failure.summary };
}

/** What a host signs: why the plan or the apply of that order failed. */
export function failureFacts(
  deploymentId: string,
  order: string | undefined,
  { summary, lines, stateLock }: Failure,
): object {
  return { deploymentId, order, summary, lines, stateLock };
}

/** What control signs: that it answered somebody with this sentence on the check run of this deployment. */
export function noticeFacts(deploymentId: string, sentence: string): object {
  return { deploymentId, sentence };
}

/** What control signs: that this person, who may, asked for the end of this deployment. */
export function cancelFacts(deploymentId: string, { by, byId }: Pick<Cancel, 'by' | 'byId'>): object {
  return { deploymentId, by, byId };
}

/** What control signs: that this person, who may, asked for the lock of this lane to be lifted. */
export function unlockFacts(
  { owner, name }: Repository,
  rootName: string,
  { by, byId, askedAt }: Pick<Unlock, 'by' | 'byId' | 'askedAt'>,
): object {
  return { owner, name, rootName, by, byId, askedAt };
}

/** What a host signs: what became of an apply that had been given up. */
export function lateOutcomeFacts({ repository, rootName, pool, deploymentId, sentence }: LateOutcome): object {
  const { owner, name } = repository;
  return { owner, name, rootName, pool, deploymentId, sentence };
}

/** What control signs: that this plan of this order may be applied now, by this host, in this job, for this approval. */
export function goFacts(
  job: Pick<ApplyJob, 'deploymentId' | 'jobId' | 'digest' | 'hostId' | 'review'>,
  order: string | undefined,
  { expiresAt, isEmpty }: Omit<Go, 'signature'>,
): object {
  const { deploymentId, jobId, digest, hostId, review } = job;
  const approval = review && { ...reviewFacts(review), signature: review.signature };
  return { deploymentId, jobId, digest, hostId, order, review: approval, expiresAt, isEmpty };
}

/** What control signs: that it sealed this for a host that carries out that order. */
export function readTokenFacts({ owner, name }: Repository, deploymentId: string, sealed: string): object {
  return { owner, name, deploymentId, sealed };
}
