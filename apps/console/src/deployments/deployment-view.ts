/** Everything the page shows about one deployment; also the answer to `/api/v1/deployments/:id`. */
import type { OfferedAction } from '@nereid/domain/actions';
import type { LaneName } from '@nereid/domain/console';
import type { Deployment, Lock, PreparedRevert, Progress, Unlock } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import type { Root } from '@nereid/domain/root';
import type { PlanText } from '@nereid/domain/plan';
import type { PlanParts } from '@nereid/texts';
import type { ShownStop } from '../access/stops/shown-stops.ts';
import type { PendingActivity } from '../platform/temporal/ask-pending.ts';

export interface DeploymentView {
  readonly id: string;
  readonly lane: LaneName;
  readonly progress: Progress;
  /** What was asked for, and by whom. */
  readonly deployment: ShownDeployment;
  /** The number of deployments that go first, while this one waits. */
  readonly ahead?: number;
  /** The lock that holds this deployment back, while it waits. */
  readonly lock?: Lock;
  /** Who lifted the lock that this deployment had set, and when. */
  readonly unlocked?: Signed<Unlock>;
  /** What its plan waits for, as the end of "Waiting for": "@alice's review". */
  readonly review?: string;
  /** The rules of the server's file that confirmed its plan: "the rule of prod/**: no destroy". */
  readonly confirmedBy?: string;
  /** Sentences that a person has to read before they answer the plan. */
  readonly warnings: readonly string[];
  /** What people may be able to do with it; control judges who may. */
  readonly offers: readonly OfferedAction[];
  /** Names everything that is shown of its plan, 64 hex digits: an answer to the plan has to name the same. Present with the plan. */
  readonly seen?: string;
  /** Terraform's own text of its plan, on pages that show it. */
  readonly planText?: ShownPlanText;
  /** After a failed apply, once it is planned: what going back would do. */
  readonly revert?: LinkedRevert;
  /** What its workflow does, or tries again, while it runs: for people who were let into its repository. */
  readonly pending?: readonly PendingActivity[];
  /** Who has stopped its root, or its pool, on pages of people who see its repository: also before it waits for that. */
  readonly stops?: readonly ShownStop[];
  /** The id of its trace, where deployments have one. */
  readonly trace?: string;
  /** ISO 8601; present once the deployment's record is stored. */
  readonly endedAt?: string;
  /** The sources that did not answer for this view; the rest of it may be out of date. */
  readonly unavailable: readonly Source[];
  readonly links: DeploymentLinks;
}

/** Terraform's own text of a plan, in parts, and what it lacks. */
export type ShownPlanText = PlanParts & Omit<PlanText, 'text'>;

export interface LinkedRevert extends PreparedRevert {
  /** The page of the pull request that a revert takes back. */
  readonly pullRequest?: string;
}

/** A deployment without `progress`, which the view itself has. */
export interface ShownDeployment extends Omit<Deployment, 'progress' | 'root' | 'warning' | 'formerly'> {
  readonly root: ShownRoot;
}

/**
 * The fields of a root that readers may see; anybody with the link of a check run is a reader. Never `steps`, whose
 * environment may hold secrets, nor `permissions`. The fields are listed one by one, so that a new one is not shown by
 * accident.
 */
export type ShownRoot = Pick<
  Root,
  | 'name'
  | 'dir'
  | 'realDir'
  | 'workspace'
  | 'distribution'
  | 'terraformVersion'
  | 'planReview'
  | 'onFailure'
  | 'varFiles'
  | 'pool'
>;

/** `workers`: Temporal can be reached, but no worker answers for the lane or the deployment. */
export type Source = 'temporal' | 'workers' | 'storage';

/** Absolute addresses; one that is not configured or not known is absent. */
export interface DeploymentLinks {
  readonly checkRun?: string;
  readonly commit: string;
  readonly pullRequest?: string;
  readonly workflow?: string;
  readonly laneWorkflow?: string;
}
