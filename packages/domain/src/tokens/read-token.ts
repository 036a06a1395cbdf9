import type { Order } from '../deployment/order.ts';
import type { SealedReadToken } from '../deployment/job/sealed-read-token.ts';
import type { ForceUnlockOrder } from '../deployment/workflows/force-unlock.ts';
import type { WaveCheckOrder } from '../deployment/workflows/wave-check.ts';
import type { Signed } from '../signed.ts';

/** A host without the App's key asks for a token with which it can read the repository of its order. */
export interface ReadTokenRequest {
  readonly version: 1;
  readonly order: Signed<Order | ForceUnlockOrder | WaveCheckOrder>;
}

/** `read-token/<deployment id>/<nonce>`: the workflow that gets a host a token for a deployment. */
export function readTokenWorkflowId(deploymentId: string, nonce: string): string {
  return `read-token/${deploymentId}/${nonce}`;
}

/** On the queue `deploy`, for the `ask` workflow. */
export interface ReadTokenActivities {
  /**
   * Makes a token that reads the repository of a deployment, and seals it to the pool. Throws `FORGED`, unless intake ordered the
   * deployment, `ORDER_EXPIRED` or `DEPLOYMENT_ENDED`. Can be retried.
   */
  sealReadToken(request: ReadTokenRequest): Promise<Signed<SealedReadToken>>;
}
