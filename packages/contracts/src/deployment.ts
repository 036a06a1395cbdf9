import type { ConfirmedForMerge, ForMerge, ReviewedBefore } from './pull-request/merge-review.ts';
import type { PolicyOverride, PolicyResult } from './policy.ts';
import type { Root } from './root.ts';

/** A commit on a branch, as something to deploy. */
export interface Revision {
  /** 40 hex digits. */
  readonly sha: string;
  readonly branch: string;
  /** `git rev-list --first-parent --count`: the order in which merged revisions are deployed. */
  readonly position: number;
  /** The first line of the commit's message, at most 200 characters. */
  readonly title: string;
  /** GitHub login or, where GitHub knows none, the name of the commit's author. */
  readonly author: string;
}

/** A short SHA, for people. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** `preview`: somebody opened or changed a pull request; nothing is applied. */
export type Trigger = 'merge' | 'manual' | 'preview';

/** A request to deploy a revision to a root. */
export interface DeploymentRequest {
  /** `<delivery>:<root>`; a lane drops a request that it has seen. */
  readonly requestId: string;
  readonly root: Root;
  readonly revision: Revision;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  /** An admin skipped the requirements (`apply -f`). */
  readonly force: boolean;
  /** GitHub login. */
  readonly requestedBy: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly requestedById?: number;
  readonly pullRequest?: number;
  /** Present when, and only when, the trigger is `preview`: then the revision is what merging the two would give. */
  readonly preview?: PreviewParents;
  /** The id of its `Rollout`: the deployment waits for others of the same revision, or others for it. */
  readonly rollout?: string;
  /** Present when the root's place is known, but not by the root's name. */
  readonly formerly?: Formerly;
  /** Present when a person confirmed a plan for this merge. */
  readonly reviewed?: ReviewedBefore;
  /**
   * When intake signed the order, by its clock, ISO 8601: the workflow that carries it can say any time. Absent in previews.
   */
  readonly orderedAt?: string;
  /**
   * GitHub's number of the App's installation, as it was ordered. The workflow that carries the order may know an older one. Absent
   * before intake signs the order.
   */
  readonly installationId?: number;
  /** Intake's signature over `orderFacts`. */
  readonly order?: string;
}

/** The commits whose merge is planned, 40 hex digits each. */
export interface PreviewParents {
  /** The head of the pull request or the group. Check runs are on it. */
  readonly headSha: string;
  readonly baseSha: string;
  /** ISO 8601. No host plans it afterwards: its code may be hostile, and what it sees then nobody knows. */
  readonly expiresAt: string;
  /** As in `PreviewSubject`. */
  readonly group?: string;
  /** Its pull request modifies more roots than anybody reads check runs of: this one has none of its own. */
  readonly isOnlyInTable?: boolean;
  /** The merge removes the root: nothing is planned. The revision is the base, and its summary has what the state holds. */
  readonly isRemoval?: true;
  readonly forMerge?: ForMerge;
}

/** What was deployed to the same directory and workspace under another name. */
export interface Formerly {
  readonly rootName: string;
  /** The lock of its lane, which holds for the new name, too. */
  readonly lock?: Lock;
}

/** One attempt to bring one revision to one root, as its lane knows it. */
export interface Deployment extends DeploymentRequest {
  /** A UUID; also the id of its terraform workflow and the `external_id` of its check runs. */
  readonly id: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly progress: Progress;
  /** GitHub's check runs of this deployment, oldest first; the last one is the one people see. */
  readonly checkRuns: readonly CheckRunRef[];
  /** A sentence that a person has to read before they confirm the plan. */
  readonly warning?: string;
  /** Present once somebody lifted the lock that the deployment had set or waited for. */
  readonly unlocked?: Unlocked;
  /** Present once somebody asked for the deployment's end. */
  readonly cancellation?: Cancellation;
  /** Present when the deployment was skipped because another one of its lane contains it. */
  readonly carrier?: Carrier;
  /** Of a preview, whose plan the merge is to apply. Only control says so: nothing that came through Temporal has it. */
  readonly confirmedForMerge?: ConfirmedForMerge;
  /** The lock that the deployment found when it was popped. Restored if the deployment ends before its apply began. */
  readonly foundLock?: Lock;
}

export interface CheckRunRef {
  readonly id: number;
  /** GitHub shows buttons only on completed check runs, and a completed one is not reopened. */
  readonly completed: boolean;
  /** It says that the deployment goes on in a newer check run. */
  readonly superseded?: true;
}

export const ENDED_STATUSES = [
  'succeeded',
  'no-changes',
  'planned',
  'plan-failed',
  'rejected',
  'expired',
  'apply-failed',
  'apply-outcome-unknown',
  'cancelled',
  'skipped',
  'refused',
  'host-lost',
] as const;

export type EndedStatus = (typeof ENDED_STATUSES)[number];

export type DeploymentStatus =
  'queued' | 'blocked' | 'preparing' | 'planning' | 'awaiting-review' | 'applying' | EndedStatus;

export function hasEnded(status: DeploymentStatus): status is EndedStatus {
  return (ENDED_STATUSES as readonly string[]).includes(status);
}

/** The progress of a deployment: complete, but small (no plan text, no logs), at most 64 KiB. */
export interface Progress {
  readonly status: DeploymentStatus;
  /** When each status was entered, ISO 8601. */
  readonly times: Readonly<Partial<Record<DeploymentStatus, string>>>;
  /** The reason for the status, as a sentence for people: why it waits, or why it was skipped, refused or cancelled. */
  readonly reason?: string;
  /** Present while no host has a slot for the next step; the reason says why. */
  readonly waitsFor?: 'host';
  readonly hostId?: string;
  readonly jobs: { readonly plan?: Job; readonly apply?: Job };
  readonly plan?: Plan;
  readonly review?: Review;
  /** Of policies that deny the plan; absent when there are none. */
  readonly overrides?: readonly PolicyOverride[];
  readonly applied?: AppliedCounts;
  readonly failure?: Failure;
  /** Present once a host said how an apply of the deployment ended. */
  readonly proof?: OutcomeProof;
}

/** A host's word for how an apply ended. */
export interface OutcomeProof {
  readonly jobId: string;
  /** The host's, over `outcomeFacts`. */
  readonly signature: string;
}

/** One run of Terraform operations with one log. */
export interface Job {
  /** As `jobIdOf` makes it; the key of its log. */
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt?: string;
}

export interface Plan {
  /** SHA-256 of the plan file, 64 hex digits; of a removed root, of the list of its resources. A review names it. */
  readonly digest: string;
  readonly hasChanges: boolean;
  readonly reviewRequired: boolean;
  readonly summary: PlanSummary;
  /** The digest of Terraform's own text of the plan (`PlanText`), 64 hex digits; absent for a plan without changes. */
  readonly textDigest?: string;
  /** What the policies for its root say; absent when there are none. */
  readonly policies?: readonly PolicyResult[];
  /** Absent when there are none. */
  readonly warnings?: PlanWarnings;
  /** `<serial> <lineage>` of the state that it was made of, at most 120 characters; absent where the plan does not tell. Hostile. */
  readonly stateVersion?: string;
  /** Of a preview whose workspace is not there: it was planned against nothing, and cannot be applied. */
  readonly newWorkspace?: true;
  /** The host's, over `planFactsOf`. */
  readonly signature?: string;
  /** It was made and reviewed before the merge: by the preview that the order names. */
  readonly beforeMerge?: true;
  /** When the gate closes by itself, ISO 8601; present while a review is required. */
  readonly expiresAt?: string;
}

/** What init and plan warned of, and checks that failed, without the secrets that the log hides. A plan without changes has them as well. */
export interface PlanWarnings {
  /** At most 10, of one line and 500 characters each, checks first: hostile. */
  readonly texts: readonly string[];
  /** How many more there were; absent when there were none. */
  readonly omitted?: number;
}

/**
 * What Terraform says of a plan with changes, in its own words, for people who review it. It is kept in storage, beside the log of
 * its job, and is never part of a message or of a history.
 */
export interface PlanText {
  /**
   * Lines of at most 60,000 bytes together, without the secrets that the log hides: what is destroyed or replaced comes first.
   * Values of the repository and of the cloud: hostile.
   */
  readonly text: string;
  /** How many resources of the plan had no room. */
  readonly leftOut: number;
  /** Whether anything else is missing: the rest of a long line or of a long resource, outputs, notes. */
  readonly isShortened: boolean;
}

/** The changes that a plan would make. Values, sensitive or not, are never part of it. */
export interface PlanSummary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly import: number;
  readonly move: number;
  readonly forget: number;
  /** Changes that this release does not know, and a person has to judge; absent when there are none. */
  readonly unknown?: number;
  /** Outputs that change. */
  readonly outputs: number;
  /** At most 200, deletes first; the rest is counted in `omitted`. A resource that is forgotten and made anew is there twice. */
  readonly resources: readonly ResourceChange[];
  readonly omitted: number;
}

export type ChangeAction = 'create' | 'update' | 'replace' | 'delete' | 'import' | 'move' | 'forget' | 'unknown';

export interface ResourceChange {
  /** Terraform's address, cut at 200 characters. Comes from the repository: hostile. */
  readonly address: string;
  readonly action: ChangeAction;
  /** Terraform's own words for an unknown action, at most 60 characters: hostile. Present for these alone. */
  readonly words?: string;
}

/** The counts in Terraform's "Apply complete! Resources: …". */
export interface AppliedCounts {
  readonly added: number;
  readonly changed: number;
  readonly destroyed: number;
  readonly imported: number;
}

export interface Failure {
  /** One line for a title, at most 200 characters. */
  readonly summary: string;
  /** The last lines of the output of Terraform or the step, at most 60 of at most 500 characters. Hostile. */
  readonly lines: readonly string[];
  /** Present when Terraform could not lock the state, because somebody else has locked it. */
  readonly stateLock?: StateLock;
  /** The host's, over `failureFacts`. Absent when a workflow gave up: then the summary is the reason, and there are no lines. */
  readonly signature?: string;
}

/** The lock of a state that Terraform met, as far as it says. Each text is hostile. */
export interface StateLock {
  /** Of the form `isLockId`. */
  readonly id: string;
  /** At most 100 characters, like `created`. */
  readonly who?: string;
  readonly created?: string;
}

export interface Review {
  readonly answer: 'approved' | 'rejected';
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** When it was taken, ISO 8601. */
  readonly at: string;
  /** What intake signed, besides the answer and the person. */
  readonly press?: Press;
}

/** The rest of `reviewFacts`. */
export interface Press {
  readonly requestId: string;
  readonly digest: string;
  /** ISO 8601. */
  readonly at: string;
  readonly signature: string;
}

/** Who lifted a lock, and when. */
export interface Unlocked {
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
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

/** Who asked for the end of a deployment, and when. */
export interface Cancellation {
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
  /** Control's, over `cancelFacts`. */
  readonly signature?: string;
}

/** The deployment that contains a skipped one, and is deployed in its place. */
export interface Carrier {
  readonly deploymentId: string;
  /** 40 hex digits. */
  readonly revision: string;
}

/** A lock that somebody lifted. */
export interface LiftedLock extends Lock {
  /** GitHub login. */
  readonly liftedBy: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly liftedById?: number;
  /** ISO 8601. */
  readonly liftedAt: string;
  readonly liftedProof?: UnlockProof;
}

/** The reason why merged deployments of a lane wait; after an unknown outcome, manual ones wait as well. */
export interface Lock {
  readonly kind: 'manual' | 'failed' | 'outcome-unknown';
  /** The deployment that set it. */
  readonly deploymentId: string;
  readonly revision: string;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
}
