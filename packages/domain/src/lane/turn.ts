import type { Deployment } from '../deployment/model.ts';
import type { MadePlan } from '../plan/model.ts';
import type { LeftState } from '../plan/other-state.ts';
import type { Repository } from '../root/repository.ts';
import type { Root } from '../root/model.ts';

/**
 * Storage's knowledge of the applies of a lane. Only control writes it, and nobody who reaches Temporal can: so it decides
 * whether a deployment has its turn, whatever the lane says.
 */
export interface LaneTurn {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  /** The last permission to apply; absent before the first one. */
  readonly last?: TakenTurn;
  /** The last deployment before it whose apply began. */
  readonly applied?: Locking;
  /** The last deployment before it that was applied with success. */
  readonly deployed?: Locking;
  /** The state that the deployments before it left; absent where nobody knows whether there is one. */
  readonly state?: LeftState;
  /** The commit before the first one that was to be deployed. Only of roots whose rules ask who brought a change, or for which jobs wait. */
  readonly since?: string;
  /** Something was to be deployed, and nobody knows the commit before it. Only of roots for which jobs of GitHub Actions wait. */
  readonly isOrdered?: true;
  /** The last permission to lift the lock of this lane. */
  readonly unlocked?: AllowedUnlock;
}

/** Who may lift a lock that was set before, and when they asked. */
export interface AllowedUnlock {
  /** Login on the forge. */
  readonly by: string;
  /** The forge's id of the same person, where it gave one. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
}

/** The permission of one deployment. */
export interface TakenTurn {
  readonly deployment: Locking;
  /** Of its hosts, one of which marked its apply. */
  readonly pool: string;
  /** When it was ordered: an unlock since then lifts its lock. ISO 8601. */
  readonly at: string;
  /** The jobs that got permission. */
  readonly jobIds: readonly string[];
  /** Of the plan that the last of them applies. */
  readonly plan?: Pick<MadePlan, 'hasChanges' | 'stateVersion'>;
  /** A person might lift the lock that it had found or set, or even the one that its end has set. */
  readonly lifted?: 'before its end' | 'after its end';
}

/** The parts of a deployment that decide on locks. */
export type Locking = Pick<
  Deployment,
  'id' | 'revision' | 'trigger' | 'rerun' | 'requestedBy' | 'requestedById' | 'foundLock'
> & {
  readonly root: Pick<Root, 'name' | 'onFailure'>;
};
