import type {
  Carrier,
  Deployment,
  DeploymentRequest,
  EndedStatus,
  LiftedLock,
  Lock,
  Progress,
  Revision,
  Trigger,
  Unlocked,
} from './deployment.ts';
import type { Repository } from './repository.ts';
import type { PolicyOverride } from './policy.ts';
import type { Root } from './root.ts';
import type { PlanReview } from './terraform.ts';
import type { Undeployed } from './undeployed.ts';

/** The start input of the deploy workflow. Every sender of a message knows enough to build it, for signal-with-start. */
export interface LaneInput {
  readonly repository: Repository;
  readonly rootName: string;
  readonly durations?: Partial<LaneDurations>;
  /** The lane that the previous run handed over when it continued as new. */
  readonly carried?: CarriedLane;
}

export interface CarriedLane {
  readonly record: LaneRecord;
  /** The version of the stored record; null when none was ever stored. */
  readonly recordVersion: string | null;
  readonly notices: Notices;
  /** The known state of the check runs, by deployment. */
  readonly reported: Readonly<Record<string, Reported>>;
}

/** The known state of a deployment's check run, besides the numbers in `checkRuns`. */
export interface Reported {
  /** Digest of its content. Absent when the content is not known; then the check run is written. */
  readonly digest?: string;
  /** A check run may have been created although the answer was lost. */
  readonly creationUncertain?: true;
  /** The terraform workflow of the deployment writes the check run. */
  readonly isHandedOver?: true;
}

/** What shows that a sentence comes from control, or that the person whom it names has answered. */
export type NoticeProof =
  | { readonly kind: 'signed'; readonly signature: string }
  /** Of an answer that changed nothing, as intake signed it. */
  | { readonly kind: 'review'; readonly review: PlanReview | PolicyOverride };

/**
 * What workflows say by themselves, without a proof. Anything else without one is not shown, because anybody who reaches Temporal
 * could have said it.
 */
export const OWN_NOTICES = {
  confirmUnchecked: 'A Confirm could not be checked, so it does not count. Press it again.',
  /** The workflow adds why, which is left to the log. */
  recordUnreadable: 'The record of this root cannot be read',
} as const;

/** For people, at most 500 characters. Without a proof, it is one of our own, or about a proven cancellation. */
export interface Said {
  readonly sentence: string;
  readonly proof?: NoticeProof;
}

/** Sentences that check runs show at the top for a while, by deployment. */
export type Notices = Readonly<Record<string, ShownNotice>>;

export interface ShownNotice extends Said {
  /** ISO 8601. */
  readonly at: string;
  /** Present once the deployment has moved on: the notice stays until then, so that it can be read. */
  readonly until?: string;
}

/** Milliseconds. Passed in so that tests run in milliseconds. */
export interface LaneDurations {
  /** A lane without work ends after this time, give or take 10 %. */
  readonly idleMs: number;
  /** A change to a `queued` or `in_progress` check run is shown only when it lasts longer than this. */
  readonly quietMs: number;
  /** Check runs beyond the third position in the queue show a new position at most this often. */
  readonly positionsMs: number;
  /** The lane's record is written at most this often, except before a child starts. */
  readonly storeMs: number;
  /** The first wait after something outside the lane failed; it doubles up to `retryLimitMs`. */
  readonly retryMs: number;
  readonly retryLimitMs: number;
  /** How soon the deployments that one waits for are looked at again if nobody says anything; doubles up to the limit. */
  readonly dependenciesMs: number;
  readonly dependenciesLimitMs: number;
}

/** Signal `new-revision`. */
export interface NewRevision extends DeploymentRequest {
  readonly version: 1;
  /**
   * The same for the same request. A lane that made up ids itself would make up the same ids again, for other requests, after
   * Temporal was restored from a backup.
   */
  readonly deploymentId?: string;
}

/** Signal `unlock`. */
export interface Unlock {
  readonly version: 1;
  readonly requestId: string;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** When the person asked, ISO 8601. A lock that was set later is not lifted. Without it, the lock's age does not count. */
  readonly askedAt?: string;
  /** The deployment whose button was pressed: only the lock that it shows is lifted. Without it, any lock is lifted. */
  readonly deploymentId?: string;
  /** Control's, over `unlockFacts`. */
  readonly signature?: string;
}

/** Answer to `unlock`. */
export type UnlockAnswer =
  | { readonly kind: 'unlocked' }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** Signal `cancel`: a waiting deployment leaves the queue, a running one is asked to end gracefully. */
export interface Cancel {
  readonly version: 1;
  /** A repeated request gets the same answer. */
  readonly requestId: string;
  readonly deploymentId: string;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** Control's, over `cancelFacts`. */
  readonly signature?: string;
}

/** Answer to `cancel`. */
export type CancelAnswer =
  /** It has left the queue. */
  | { readonly kind: 'cancelled' }
  /** It runs, and was asked to end. */
  | { readonly kind: 'cancelling' }
  /** Nothing was changed: it has ended, or this lane does not know it. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** There is no answer yet. The reason is a clause. */
export interface Pending {
  readonly kind: 'pending';
  readonly reason: string;
}

/** Answer to the query `answer`, which takes the `requestId` of an `unlock` or a `cancel`. */
export type LaneAnswer = UnlockAnswer | CancelAnswer | Pending;

/** Answer to the query `knows`, which takes the id of a deployment: whether the lane would show a notice on it. */
export type LaneKnows = { readonly kind: 'known' } | { readonly kind: 'unknown' } | Pending;

/**
 * Signal `deployment-ended`: sent for a terraform workflow before GitHub shows its end, or when it closed without sending it.
 * It may come twice.
 */
export interface DeploymentEnded {
  readonly version: 1;
  readonly deploymentId: string;
  /** Its status is one of `ENDED_STATUSES`. */
  readonly progress: Progress;
  /** The terraform workflow is closed, and shows nothing any more. */
  readonly isClosed?: boolean;
}

/**
 * Signal `notice`, to a lane or a terraform workflow: a sentence shown at the top of the deployment's check run until its next
 * state, and for some seconds at least. A lane that does not know the deployment drops it.
 */
export interface Notice {
  readonly version: 1;
  readonly deploymentId: string;
  /** May name a user or a branch: hostile. At most 500 characters. */
  readonly sentence: string;
  /** Control's, over `noticeFacts`. */
  readonly signature?: string;
}

/**
 * Signal `show-again`, to a terraform workflow: it writes its check run again, because the lane does not know the content of
 * the check run, or knows more about the deployment.
 */
export interface ShowAgain {
  readonly version: 1;
  /** Who lifted the lock that the deployment has set. */
  readonly unlocked?: Unlocked;
}

/** Signal `resume`: starts a lane that does not run, which goes on from its record. A running lane ignores it. */
export interface Resume {
  readonly version: 1;
}

/** Signal `look-again`, to a lane: a deployment that one of its own waits for has ended, or waits for a person. */
export interface LookAgain {
  readonly version: 1;
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

/** A deployment that ended, as it is stored once and for all. */
export interface DeploymentRecord {
  readonly version: 1;
  readonly repository: Repository;
  readonly deployment: Deployment;
  /** ISO 8601. */
  readonly endedAt: string;
}

/** What lists and sums need to know of a deployment that ended. Its record in storage has everything. */
export interface EndedDeployment {
  readonly version: 1;
  readonly id: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  readonly revision: Revision;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** GitHub login. */
  readonly requestedBy: string;
  readonly pullRequest?: number;
  readonly status: EndedStatus;
  readonly carrier?: Carrier;
  /** ISO 8601, like all times here. */
  readonly receivedAt: string;
  readonly times: Progress['times'];
  readonly endedAt: string;
  /** Absent when there was no plan. */
  readonly hasChanges?: boolean;
  /** GitHub login. */
  readonly reviewedBy?: string;
}

/**
 * What storage knows of the applies of a lane. Only control writes it, and nobody who reaches Temporal can: so it decides
 * whether a deployment has its turn, whatever the lane says.
 */
export interface LaneTurn {
  readonly version: 1;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  readonly rootName: string;
  /** The last leave to apply; absent before the first one. */
  readonly last?: TakenTurn;
  /** The last deployment before it whose apply began. */
  readonly applied?: Locking;
  /** The last deployment before it that was applied with success. */
  readonly deployed?: Locking;
  /** The commit before the first one that was to be deployed. Only of roots whose rules ask who brought a change. */
  readonly since?: string;
  /** The last permission to lift the lock of this lane. */
  readonly unlocked?: Unlocked;
}

/** The leave of one deployment. */
export interface TakenTurn {
  readonly deployment: Locking;
  /** Of its hosts, one of which marked its apply. */
  readonly pool: string;
  /** When it was ordered: an unlock since then lifts its lock. ISO 8601. */
  readonly at: string;
  /** The jobs that got leave. */
  readonly jobIds: readonly string[];
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
