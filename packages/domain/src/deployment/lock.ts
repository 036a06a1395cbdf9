import type { Repository } from '../root/repository.ts';
import type { Signed } from '../signed.ts';

export const LOCK_KINDS = ['manual', 'failed', 'outcome-unknown'] as const;

/** The reason why merged deployments of a lane wait; after an unknown outcome, manual ones wait as well. */
export interface Lock {
  readonly kind: (typeof LOCK_KINDS)[number];
  /** The deployment that set it. */
  readonly deploymentId: string;
  readonly revision: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Signal `unlock`, in an envelope of control: this person, who may, asked for the lock of this lane to be lifted. It stays with the
 * lock, and with the deployments that show who lifted it.
 */
export interface Unlock {
  readonly version: 1;
  readonly requestId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** When the person asked, ISO 8601. A lock that was set later is not lifted. */
  readonly askedAt: string;
  /** The deployment whose button was pressed: only the lock that it shows is lifted. Without it, any lock is lifted. */
  readonly deploymentId?: string;
}

/** A lock that somebody lifted. */
export interface LiftedLock extends Lock {
  readonly unlock: Signed<Unlock>;
  /** ISO 8601. */
  readonly liftedAt: string;
}
