import type { Deployment, DeploymentRequest, LiftedLock, Lock, Progress, Unlocked } from './deployment.ts';
import type { Repository } from './repository.ts';

/** The start input of the deploy workflow: enough for any message to be sent with signal-with-start. */
export interface LaneInput {
  readonly repository: Repository;
  readonly rootName: string;
  readonly durations?: Partial<LaneDurations>;
  /** What the run before handed over when it continued as new. */
  readonly carried?: CarriedLane;
}

export interface CarriedLane {
  readonly record: LaneRecord;
  /** The version of the stored record; null when none was ever stored. */
  readonly recordVersion: string | null;
  readonly notices: Notices;
  /** What GitHub was told of the lane's deployments, by deployment. */
  readonly reported: Readonly<Record<string, Reported>>;
}

/** What is known of a deployment's check run, beside its numbers. */
export interface Reported {
  /** Digest of what it says; absent: not known, it is written. */
  readonly digest?: string;
  /** One may have been created without anybody hearing of it. */
  readonly creationUncertain?: true;
  /** Its terraform workflow writes it. */
  readonly isHandedOver?: true;
}

/** What the check runs of deployments say on top for a while, by deployment. */
export type Notices = Readonly<Record<string, ShownNotice>>;

export interface ShownNotice {
  readonly sentence: string;
  /** ISO 8601. */
  readonly at: string;
  /** Its deployment has moved on: it stays until then, to be read. */
  readonly until?: string;
}

/** Milliseconds. Passed in so that tests run in milliseconds. */
export interface LaneDurations {
  /** A lane without work ends after this, give or take 10 %. */
  readonly idleMs: number;
  /** A change of what is `queued` or `in_progress` is shown only when it lasts longer than this. */
  readonly quietMs: number;
  /** Positions in the queue beyond the third are re-titled at most this often. */
  readonly positionsMs: number;
  /** The lane's record is written at most this often, except before a child starts. */
  readonly storeMs: number;
  /** The first wait after something outside failed; it doubles up to `retryLimitMs`. */
  readonly retryMs: number;
  readonly retryLimitMs: number;
}

/** Signal `new-revision`. */
export interface NewRevision extends DeploymentRequest {
  readonly version: 1;
  /**
   * The same for the same request. A lane whose Temporal was restored from a backup makes up the ids once more that it made up
   * after the backup.
   */
  readonly deploymentId?: string;
}

/** Signal `unlock`. */
export interface Unlock {
  readonly version: 1;
  readonly requestId: string;
  /** GitHub login. */
  readonly by: string;
  /** When it was asked. A lock that was set later is not meant. ISO 8601. Absent: whatever locks the lane now. */
  readonly askedAt?: string;
  /** The deployment whose button was pressed: only the lock that it shows is meant. Absent: whatever locks the lane. */
  readonly deploymentId?: string;
}

/** Answer to `unlock`. */
export type UnlockAnswer =
  | { readonly kind: 'unlocked' }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Signal `cancel`: a waiting deployment leaves the queue, a running one is asked to end gracefully. */
export interface Cancel {
  readonly version: 1;
  /** The same request again gets the same answer. */
  readonly requestId: string;
  readonly deploymentId: string;
  /** GitHub login. */
  readonly by: string;
}

/** Answer to `cancel`. */
export type CancelAnswer =
  /** It has left the queue. */
  | { readonly kind: 'cancelled' }
  /** It runs, and was asked to end. */
  | { readonly kind: 'cancelling' }
  /** Nothing was changed: it has ended, or this lane does not know it. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Nothing can be said yet. The reason is a clause. */
export interface Pending {
  readonly kind: 'pending';
  readonly reason: string;
}

/** Answer of the query `answer`, which is asked with the `requestId` of an `unlock` or a `cancel`. */
export type LaneAnswer = UnlockAnswer | CancelAnswer | Pending;

/** Answer of the query `knows`, which is asked with the id of a deployment: whether the lane would show a notice on it. */
export type LaneKnows = { readonly kind: 'known' } | { readonly kind: 'unknown' } | Pending;

/** Signal `deployment-ended`: sent for a terraform workflow before GitHub shows its end, or when it closed without that; it may come twice. */
export interface DeploymentEnded {
  readonly version: 1;
  readonly deploymentId: string;
  /** Its status is an ended one. */
  readonly progress: Progress;
  /** Its terraform workflow is closed, and shows nothing any more. */
  readonly isClosed?: boolean;
}

/**
 * Signal `notice`, to a lane and to a terraform workflow: a sentence shown at the top of the deployment's check run until its
 * next state, and for some seconds at least. Where the deployment is not known, nobody shows it.
 */
export interface Notice {
  readonly version: 1;
  readonly deploymentId: string;
  /** May name a user or a branch: hostile. At most 500 characters. */
  readonly sentence: string;
}

/** Signal to a terraform workflow: its lane does not know what its check run says, or knows more. It is written again. */
export interface ShowAgain {
  readonly version: 1;
  /** Who lifted the lock that the deployment has set. */
  readonly unlocked?: Unlocked;
}

/** Signal `resume`: a lane that does not run starts, and goes on as its record says. One that runs does nothing. */
export interface Resume {
  readonly version: 1;
}

/** The last deployment whose apply began, or whose plan had no changes. */
export interface Latest {
  readonly deploymentId: string;
  readonly revision: string;
  readonly trigger: 'merge' | 'manual';
  readonly status: Progress['status'];
  /** When its apply began, or it had no changes. ISO 8601. */
  readonly at: string;
  /** Only of a manual deployment: the commit of the last merge that was deployed before it. */
  readonly mergeBefore?: string;
}

/** A lane as it is stored and carried on: a lane that ended starts again exactly as it stood. */
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
  /** Ended, while their check runs or their own records may not say so yet; less of the oldest where these are too much. */
  readonly ended?: readonly Deployment[];
  readonly seen: Seen;
  /** The last requests that were judged, oldest first: each gets the same answer again. */
  readonly judged?: readonly Judged[];
  /** Who wrote it: lets a writer tell its own write from another's after a conflict. */
  readonly writer: { readonly runId: string; readonly sequence: number };
}

/** A request that was accepted or refused. */
export interface Judged {
  readonly requestId: string;
  readonly answer: UnlockAnswer | CancelAnswer;
}

/** The last 500 of each; what is seen is dropped. */
export interface Seen {
  readonly requestIds: readonly string[];
  /** SHAs of accepted merges. */
  readonly merges: readonly string[];
}

/**
 * Query `lane`: everything about a lane, with the reason for every wait. How far the running deployment has come only its own
 * workflow knows, by the query `progress`.
 */
export interface LaneView {
  readonly repository: Repository;
  readonly rootName: string;
  /** False while its record is read: what it says below is nothing yet. */
  readonly isRestored: boolean;
  readonly latest?: Latest;
  readonly lock?: Lock;
  /** The last locks that somebody lifted, newest last. */
  readonly lifted: readonly LiftedLock[];
  readonly running?: Deployment;
  /** In the order in which they will run. */
  readonly waiting: readonly Deployment[];
  /** The last 50 that ended and all that may still be presented, newest last; less of the oldest where these are too much. */
  readonly ended: readonly Deployment[];
  /** Why nothing runs, as a sentence; absent when something runs or nothing waits, unless its record cannot be read. */
  readonly waitsFor?: string;
}

/** A deployment that ended, as it is stored once and for all. */
export interface DeploymentRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly deployment: Deployment;
  /** ISO 8601. */
  readonly endedAt: string;
}
