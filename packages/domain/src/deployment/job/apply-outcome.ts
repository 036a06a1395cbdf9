import type { SaidFailure } from '../../host/failure.ts';
import type { Signed } from '../../signed.ts';

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly counts: AppliedCounts; readonly proof?: Signed<HostOutcome> }
  | { readonly kind: 'failed'; readonly failure: SaidFailure; readonly proof?: Signed<HostOutcome> }
  /** Nothing was applied: the state changed since the plan was made, or the plan is not where it was kept. */
  | { readonly kind: 'plan-unusable'; readonly why: string }
  /** The worker was lost before Terraform was asked to apply, and in this job it never will be. */
  | { readonly kind: 'not-begun' }
  /** Terraform was killed, or left no exit code. */
  | { readonly kind: 'unknown'; readonly why: string };

/** The outcomes of an apply that began. */
export type EndedApply = Extract<ApplyOutcome, { readonly kind: 'applied' | 'failed' | 'unknown' }>;

/** The counts in Terraform's "Apply complete! Resources: …". */
export interface AppliedCounts {
  readonly added: number;
  readonly changed: number;
  readonly destroyed: number;
  readonly imported: number;
}

/** A host's statement of how the apply of this job ended. Of a failure, the summary alone: the lines are shortened on their way. */
export type HostOutcome = {
  readonly version: 1;
  readonly deploymentId: string;
  readonly jobId: string;
  /** The signature of the order. */
  readonly order: string;
} & HostEnd;

export type HostEnd =
  { readonly kind: 'applied'; readonly counts: AppliedCounts } | { readonly kind: 'failed'; readonly summary: string };
