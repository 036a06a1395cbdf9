/** The order in which roots of one revision are deployed. */
import type { EndedStatus } from '../deployment/status.ts';
import type { Repository } from '../root/repository.ts';

/** Where a root stands in the order that its repository's file declares. */
export interface RootOrder {
  readonly rootName: string;
  /** Roots of lower groups go first. */
  readonly group: number;
  /** Names of roots that go before this one. */
  readonly dependsOn: readonly string[];
}

/** Only roots that declare something: the others depend on none, and are in group 0. */
export type Ordering = readonly RootOrder[];

/**
 * Deployments of one revision, as they were ordered together; some may wait for others. Intake stores it before it signals their
 * lanes, and it never changes. A merge that deploys one root has none.
 */
export interface Rollout {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** As in `Together`. */
  readonly id: string;
  /** 40 hex digits. */
  readonly revision: string;
  /** When it was ordered first, ISO 8601. */
  readonly orderedAt: string;
  /** Somebody re-ran deployments of an earlier one. */
  readonly isRerun: boolean;
  readonly roots: readonly RolloutRoot[];
  /** In order; absent where all roots go as soon as their order permits. */
  readonly waves?: readonly Wave[];
}

/** Roots that go together: before the next wave begins, all of them are deployed, and some time is over. */
export interface Wave {
  readonly name: string;
  readonly rootNames: readonly string[];
  /** From the end of its last deployment until it is over. */
  readonly soakMs: number;
}

export interface RolloutRoot extends RootOrder {
  /** Absent for a root that is not deployed, but through which one waits for another. */
  readonly deploymentId?: string;
  /** Present when its deployment is one of an earlier rollout, whose re-run this is: the id of that rollout. */
  readonly of?: string;
}

/** How a root of a rollout ended. */
export type RolloutEnd =
  | { readonly kind: 'ended'; readonly status: EndedStatus }
  /** It goes with a later deployment of the same root, which contains it. */
  | { readonly kind: 'carried'; readonly deploymentId: string };

/** A waiting deployment's knowledge of the deployments that go before it in its rollout. The sentence is for people. */
export type DependenciesFound =
  | { readonly kind: 'ready' }
  /** `waits for network, which awaits its review`: a clause. */
  | { readonly kind: 'waiting'; readonly clause: string }
  /** One of them ended without taking effect. */
  | { readonly kind: 'failed'; readonly sentence: string };

/** A waiting deployment to ask about. `shown` is the clause that people see already. */
export interface DependentDeployment {
  readonly deploymentId: string;
  readonly rootName: string;
  readonly rollout: string;
  readonly shown: string | null;
}
