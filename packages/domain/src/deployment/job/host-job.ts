import type { BreakGlass } from '../../plan/break-glass.ts';
import type { PlanReview } from '../../plan/review.ts';
import type { Signed } from '../../signed.ts';
import type { SealedReadToken } from './sealed-read-token.ts';
import type { Order } from '../order.ts';

/** The request to the activities of a host. It has nothing that they use besides the signed parts. */
export interface HostJob {
  /** As `jobIdOf` makes it, of the deployment of the order. */
  readonly jobId: string;
  readonly order: Signed<Order>;
  /** Which control sealed for the hosts of its pool when the deployment was admitted. */
  readonly readToken?: Signed<SealedReadToken>;
}

export interface ApplyJob extends HostJob {
  readonly go: Signed<Go>;
  /** The approval that the permission names; absent when the plan takes none. */
  readonly review?: Signed<PlanReview>;
}

/**
 * The permission to apply, which control signs: this plan of this order, by this host, in this job. No host applies without one.
 */
export interface Go {
  readonly version: 1;
  readonly deploymentId: string;
  readonly jobId: string;
  readonly hostId: string;
  /** Of the plan that may be applied, 64 hex digits. */
  readonly digest: string;
  /** Intake's signature of the order. */
  readonly order: string;
  /** Intake's signature of the approval; absent when the plan takes none. */
  readonly review?: string;
  /** ISO 8601; soon after it was given: until then, the host has to take the job. */
  readonly acceptBy: string;
  /** ISO 8601: until then, the first step of the apply has to begin. Within minutes, and before the closing of a window. */
  readonly beginBy: string;
  /** ISO 8601; some minutes after it was given: until then, the job gets the token of its identity. */
  readonly expiresAt: string;
  /** The word of the person who lets it pass stops and windows. */
  readonly glass?: Signed<BreakGlass>;
  /** The plan has no changes, and nobody asked for the apply: it ends without running anything. */
  readonly isEmpty?: true;
}
