import type { Trigger } from '../deployment/request.ts';
import type { Deployment } from '../deployment/model.ts';
import type { LiftedLock, Lock } from '../deployment/lock.ts';
import type { Progress } from '../deployment/progress.ts';
import type { Repository } from '../root/repository.ts';
import type { CancelAnswer, UnlockAnswer } from './messages.ts';
import type { Undeployed } from './undeployed.ts';

/** A lane as it is stored, and handed over to the next run: a lane that ended starts again exactly as it stood. */
export interface LaneRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly rootName: string;
  readonly latest?: Latest;
  readonly lock?: Lock;
  /** The last locks that somebody lifted, newest last. */
  readonly lifted?: readonly LiftedLock[];
  readonly running?: Deployment;
  readonly manual: readonly Deployment[];
  readonly merged: readonly Deployment[];
  /**
   * Ended deployments whose check runs or own records may not say so yet. When they are too large together, the oldest are
   * shortened or dropped.
   */
  readonly ended?: readonly Deployment[];
  readonly seen: Seen;
  /** The last 50 deployments that ended without taking effect since the deployed one, the latest end last. Absent when there are none. */
  readonly undeployed?: readonly Undeployed[];
  /** The last judged requests, oldest first. A repeated request gets the same answer. */
  readonly judged?: readonly Judged[];
  /** The writer of the record: after a conflict, a writer can tell its own write from another's. */
  readonly writer: { readonly runId: string; readonly sequence: number };
}

/** The last deployment whose apply began, or whose plan had no changes. */
export interface Latest {
  readonly deploymentId: string;
  readonly revision: string;
  readonly trigger: Trigger;
  readonly status: Progress['status'];
  /** When its apply began, or when it turned out to have no changes. ISO 8601. */
  readonly at: string;
  /** A re-run of a revision on the default branch. Its trigger is manual, but it counts as a merge. */
  readonly rerun?: boolean;
  /** Only for a manual deployment that is no re-run: the commit of the last merge that was deployed before it. */
  readonly mergeBefore?: string;
  /** The position on the branch of the last merge that was deployed, by this one or before it. Absent before the first merge. */
  readonly branchPosition?: number;
}

/** A request that was accepted or refused. */
export interface Judged {
  readonly requestId: string;
  readonly answer: UnlockAnswer | CancelAnswer;
}

/** The last 500 of each; a request that was seen is dropped. */
export interface Seen {
  readonly requestIds: readonly string[];
  /** SHAs of accepted merges. */
  readonly merges: readonly string[];
}
