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

/** A lock that somebody lifted. */
export interface LiftedLock extends Lock {
  /** Login on the forge. */
  readonly liftedBy: string;
  /** The forge's id of the same person, where it gave one. */
  readonly liftedById?: number;
  /** ISO 8601. */
  readonly liftedAt: string;
  readonly liftedProof?: UnlockProof;
}

/** Who lifted a lock, and when. */
export interface Unlocked {
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
  readonly proof?: UnlockProof;
}

/** Control's word for who asked for a lock to be lifted. */
export interface UnlockProof {
  /** When the person asked, ISO 8601. */
  readonly askedAt: string;
  /** Control's, over `unlockFacts`. */
  readonly signature: string;
}
