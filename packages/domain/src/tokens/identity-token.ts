import type { ReadTokenRequest } from './read-token.ts';
import type { Repository } from '../root/repository.ts';
import type { Signed } from '../signed.ts';
import type { ApplyJob } from '../deployment/job/host-job.ts';

/** The work on a root: the plan of a deployment or of a pull request, or the apply. To clouds, they are two. */
export type Phase = 'plan' | 'apply';

/**
 * A host asks for the token by which clouds know a job. Without `apply`, it is the token of a plan.
 */
export interface IdentityTokenRequest extends ReadTokenRequest {
  readonly apply?: ApplyPermission;
}

/** Control's permission to apply, and who approved it. */
export type ApplyPermission = Pick<ApplyJob, 'go' | 'review'>;

/**
 * Signed by control: that it sealed this for a host that carries out the plan of that order, or the apply that it gave permission
 * for. So nobody gives a plan the token of an apply, or an apply the token of an earlier one. Only hosts of the pool can use it.
 */
export interface SealedIdentityToken {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly deploymentId: string;
  readonly phase: Phase;
  /** Control's signature of the permission to apply; absent for a plan. */
  readonly go?: string;
  /** A compact JWE for the pool; good for this deployment and phase alone, until the token expires. */
  readonly sealed: string;
}

export function phaseOf(apply: object | undefined): Phase {
  return apply === undefined ? 'plan' : 'apply';
}

/** `identity-token/<deployment id>/<nonce>`: the workflow that gets a host a token by which clouds know a job. */
export function identityTokenWorkflowId(deploymentId: string, nonce: string): string {
  return `identity-token/${deploymentId}/${nonce}`;
}

/** On the queue `deploy`, for the `ask` workflow. */
export interface IdentityTokenActivities {
  /**
   * Makes a token by which clouds know a job, and seals it to the pool. Throws `FORGED`, unless intake ordered the deployment and,
   * for an apply, control gave permission; `DEPLOYMENT_ENDED`, `ORDER_EXPIRED`, `GO_EXPIRED`, or `NO_IDENTITY`. Can be retried.
   */
  sealIdentityToken(request: IdentityTokenRequest): Promise<Signed<SealedIdentityToken>>;
}
