import type { Go, Order, SealedReadToken } from '@nereid/domain/deployment';
import type { PlanReview } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import type { Proven } from '@nereid/signature';

/** A job of a host, with everything that was ordered. Nothing but an order that was opened makes one. */
export interface OpenedJob extends Order {
  readonly deploymentId: string;
  readonly jobId: string;
  readonly order: Proven<Order>;
  /** Came with the job; nothing of it is verified yet. */
  readonly readToken?: Signed<SealedReadToken>;
}

/** A job that control gave permission for. */
export interface OpenedApply extends OpenedJob {
  readonly go: Proven<Go>;
  /** The approval for which it was given. */
  readonly review?: Signed<PlanReview>;
}

export function openedJob(order: Proven<Order>, jobId: string): OpenedJob {
  return { ...order.body, deploymentId: order.body.id, jobId, order };
}
