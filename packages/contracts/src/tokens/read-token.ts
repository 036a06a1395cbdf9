import type { ForceUnlocking } from '../force-unlock.ts';
import type { Repository } from '../repository.ts';
import type { Ordered } from '../signed.ts';

/**
 * The start input of the `readToken` workflow: a host without the App's key asks for a token with which it can read the
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
