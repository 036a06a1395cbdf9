import type { Deployment } from '../deployment/model.ts';
import type { LiftedLock, Lock } from '../deployment/lock.ts';
import type { Repository } from '../root/repository.ts';
import type { Latest } from './record.ts';
import type { Undeployed } from './undeployed.ts';

/**
 * Query `lane`: everything about a lane, with the reason for every wait. Only the workflow of the running deployment knows its
 * progress, and answers the query `progress`.
 */
export interface LaneView {
  readonly repository: Repository;
  readonly rootName: string;
  /** False until the record has been read: all fields below but `waitsFor` are empty until then. */
  readonly isRestored: boolean;
  readonly latest?: Latest;
  readonly lock?: Lock;
  /** The last locks that somebody lifted, newest last. */
  readonly lifted: readonly LiftedLock[];
  readonly running?: Deployment;
  /** In the order in which they will run. */
  readonly waiting: readonly Deployment[];
  /**
   * The last 50 that ended and all that may still be presented, newest last. When they are too large together, the oldest are
   * shortened or dropped.
   */
  readonly ended: readonly Deployment[];
  /** As in the record. */
  readonly undeployed: readonly Undeployed[];
  /** Why nothing runs, as a clause. Absent when something runs or nothing waits, unless the record cannot be read or stored. */
  readonly waitsFor?: string;
}
