import { defined } from '../defined.ts';
import { reviewFacts, type PlanReview } from '../plan/review.ts';
import type { Repository } from '../root/repository.ts';
import type { Root } from '../root/model.ts';
import type { Order, Ordered } from './order.ts';
import type { Revision } from './revision.ts';

/** The facts that the activities of a host know about their deployment. */
export interface HostJob {
  readonly deploymentId: string;
  readonly jobId: string;
  readonly repository: Repository;
  readonly root: Root;
  readonly revision: Revision;
  readonly requestedBy: string;
  readonly order: Order;
}

/** What a job says that was ordered: exactly the fields that the host uses, and no others that came with them. */
export function orderOfJob({ deploymentId: id, root, revision, requestedBy, order }: HostJob): Ordered {
  const { requestId, trigger, rerun, force, requestedById, pullRequest, preview } = order;
  const { formerly, reviewed, rollout, orderedAt, installationId } = order;
  return {
    ...{ id, requestId, root, revision, trigger, rerun, force, requestedBy },
    ...defined({ requestedById, pullRequest, preview, formerly, reviewed, rollout, orderedAt, installationId }),
  };
}

/** A job with what was ordered and nothing else: fields that came beside it, which nobody signed, are left behind. */
export function onlyOrderedOf(job: HostJob): HostJob {
  const { id: deploymentId, root, revision, requestedBy, ...order } = orderOfJob(job);
  const { owner, name, installationId } = job.repository;
  const { signature } = job.order;
  return {
    ...{ deploymentId, jobId: job.jobId, repository: { owner, name, installationId }, root, revision, requestedBy },
    order: { ...order, ...defined({ signature }) },
  };
}

export interface ApplyJob extends HostJob {
  /** The plan that was approved. */
  readonly digest: string;
  readonly hostId: string;
  readonly go: Go;
  /** The approval for which permission was given; absent when the plan takes none. */
  readonly review?: PlanReview;
}

/** The permission to apply. No host applies without one. */
export interface Go {
  /** ISO 8601; some minutes after it was given. */
  readonly expiresAt: string;
  /** The plan has no changes, and nobody asked for the apply: it ends without running anything. */
  readonly isEmpty?: true;
  /** Over `goFacts`. */
  readonly signature: string;
}

/** The same for an apply, with the permission for it. */
export function onlyAllowedOf(job: ApplyJob): ApplyJob {
  const { digest, hostId, go, review } = job;
  const { expiresAt, isEmpty, signature } = go;
  return {
    ...onlyOrderedOf(job),
    ...{ digest, hostId, go: { expiresAt, ...(isEmpty && { isEmpty }), signature } },
    ...(review && { review }),
  };
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
