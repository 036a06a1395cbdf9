/** Everything the page shows about one deployment, and what `/api/v1/deployments/:id` answers. */
import type { Deployment, Lock, Progress, Root, Unlocked } from '@nereid/contracts';
import type { LaneName } from '@nereid/github';

export interface DeploymentView {
  readonly id: string;
  readonly lane: LaneName;
  readonly progress: Progress;
  /** Who asked for what. */
  readonly deployment: ShownDeployment;
  /** How many deployments go before it, while it waits. */
  readonly ahead?: number;
  /** The lock that holds it back, while it waits. */
  readonly lock?: Lock;
  /** Somebody lifted the lock that this deployment had set. */
  readonly unlocked?: Unlocked;
  /** ISO 8601; present when it is stored as ended. */
  readonly endedAt?: string;
  /** What could not be asked while this was put together; the rest may be older than it looks. */
  readonly unavailable: readonly Source[];
  readonly links: DeploymentLinks;
}

/** Its `progress` is the view's. */
export interface ShownDeployment extends Omit<Deployment, 'progress' | 'root'> {
  readonly root: ShownRoot;
}

/**
 * What a reader may know of a root: whoever has the link of a check run is one. Never `steps`, whose environment may
 * hold secrets, nor `permissions`. The fields are listed one by one, so that a new one is not shown by accident.
 */
export type ShownRoot = Pick<
  Root,
  'name' | 'dir' | 'workspace' | 'distribution' | 'terraformVersion' | 'planReview' | 'onFailure' | 'varFiles'
>;

/** `workers`: Temporal is there, and nobody answers for the lane or the deployment. */
export type Source = 'temporal' | 'workers' | 'storage';

/** Absolute addresses; those that are not configured or not known are absent. */
export interface DeploymentLinks {
  readonly checkRun?: string;
  readonly commit: string;
  readonly pullRequest?: string;
  readonly workflow?: string;
  readonly laneWorkflow?: string;
}
