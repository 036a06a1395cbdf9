import type { Failure } from '../host/failure.ts';

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly counts: AppliedCounts; readonly proof?: OutcomeProof }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly proof?: OutcomeProof }
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

/** A host's word for how an apply ended. */
export interface OutcomeProof {
  readonly jobId: string;
  /** The host's, over `outcomeFacts`. */
  readonly signature: string;
}

/**
 * What a host signs: how the apply of this job ended. For a failure, only the first line, because the others are shortened on
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
