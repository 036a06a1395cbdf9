import type { Repository } from '../../root/repository.ts';

/**
 * The statement that control signs: that it sealed this for a host that carries out that order. Through Temporal, only hosts of the
 * pool can use it.
 */
export interface SealedReadToken {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly deploymentId: string;
  /** A compact JWE for the pool; good for this deployment and repository alone, until the token expires. */
  readonly sealed: string;
}
