import type { ForceUnlocking } from '../deployment/force-unlock.ts';
import type { Repository } from '../root/repository.ts';
import type { Ordered } from '../deployment/order.ts';

/**
 * A host without the App's key asks for a token with which it can read the
 * repository of a deployment.
 */
export interface ReadTokenRequest {
  readonly version: 1;
  readonly repository: Repository;
  /** As intake ordered it. */
  readonly ordered: Ordered;
  /** Present when the host is to free a lock of the state. */
  readonly unlocking?: ForceUnlocking;
  /** Intake's, over `orderFacts`, or `forceUnlockFacts` for a lock. */
  readonly order?: string;
}

/** Goes through Temporal, where it is useless to everybody but the hosts of the pool. */
export interface SealedReadToken {
  /** A compact JWE for the pool; good for this deployment and repository alone, until the token expires. */
  readonly sealed: string;
  /** Control's, over `readTokenFacts`. */
  readonly signature: string;
}

/** `read-token/<deployment id>/<nonce>`: the workflow that gets a host a token for a deployment. */
export function readTokenWorkflowId(deploymentId: string, nonce: string): string {
  return `read-token/${deploymentId}/${nonce}`;
}

/** On the queue `deploy`, for the `ask` workflow. */
export interface ReadTokenActivities {
  /**
   * Makes a token that reads the repository of a deployment, and seals it to the pool. Throws `FORGED`, unless intake ordered the
   * deployment, or `DEPLOYMENT_ENDED`. Can be retried.
   */
  sealReadToken(request: ReadTokenRequest): Promise<SealedReadToken>;
}

/** What control signs: that it sealed this for a host that carries out that order. */
export function readTokenFacts({ owner, name }: Repository, deploymentId: string, sealed: string): object {
  return { owner, name, deploymentId, sealed };
}
