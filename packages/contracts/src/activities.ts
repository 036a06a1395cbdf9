/** The activities that workers run for workflows. The implementations are in apps/worker; workflows see only these types. */
import type { AccessAnswer, AccessRequest } from './console/access.ts';
import type { AuditEvent } from './audit.ts';
import type { CheckRunRef, Deployment, Lock, Plan, Progress } from './deployment.ts';
import type { IdentityTokenRequest, SealedIdentityToken } from './tokens/identity-token.ts';
import type { IntakeResult, ReceivedEvent, UserAction } from './intake/intake.ts';
import type { DeploymentRecord, LaneRecord, NoticeProof } from './lane.ts';
import type { LateOutcome } from './late-outcome.ts';
import type { ReviewedPlan } from './pull-request/merge-review.ts';
import type { PolicyOverride } from './policy.ts';
import type { ReadTokenRequest, SealedReadToken } from './tokens/read-token.ts';
import type { Repository } from './repository.ts';
import type { DependenciesFound, DependentDeployment } from './rollout.ts';
import type {
  ApplyJob,
  ApplyOutcome,
  Beginning,
  Claim,
  Go,
  HostJob,
  PlanOutcome,
  PlanReview,
  TerraformResult,
} from './terraform.ts';

/** On the queue `deploy`, for the intake workflow. */
export interface IntakeActivities {
  /**
   * Takes an event that the gateway signed. Idempotent by the delivery's id. When it fails, the details of its failure are the
   * user actions that it judged.
   */
  takeEvent(received: ReceivedEvent): Promise<IntakeResult>;
  /** Returns the user actions of an event that could not be taken, as refused; `why` is the reason. */
  listNotTaken(received: ReceivedEvent, why: string): Promise<readonly UserAction[]>;
  /** Stores the user actions of an event in the audit trail, in order; another attempt stores none twice. */
  recordUserActions(received: ReceivedEvent, userActions: readonly UserAction[]): Promise<void>;
}

/** On the queue `deploy`, for the `lateOutcome` workflow. */
export interface LateOutcomeActivities {
  /**
   * Shows the outcome on the deployment's check run. It lifts no lock and does not change how the deployment ended. Returns a
   * sentence that says what was shown, or why nothing was. Can be retried.
   */
  showLateOutcome(outcome: LateOutcome): Promise<string>;
}

/** On the queue `deploy`, for the `readToken` workflow. */
export interface ReadTokenActivities {
  /**
   * Makes a token that reads the repository of a deployment, and seals it to the pool. Throws `FORGED`, unless intake ordered the
   * deployment, or `DEPLOYMENT_ENDED`. Can be retried.
   */
  sealReadToken(request: ReadTokenRequest): Promise<SealedReadToken>;
}

/** On the queue `deploy`, for the `identityToken` workflow. */
export interface IdentityTokenActivities {
  /**
   * Makes a token by which clouds know a job, and seals it to the pool. Throws `FORGED`, unless intake ordered the deployment and,
   * for an apply, control gave leave; `DEPLOYMENT_ENDED`, `GO_EXPIRED`, or `NO_IDENTITY`. Can be retried.
   */
  sealIdentityToken(request: IdentityTokenRequest): Promise<SealedIdentityToken>;
}

/** On the queue `deploy`, for the `repositoryAccess` workflow. */
export interface AccessActivities {
  /** Asks GitHub, and signs what it says. A repository that the server does not allow is one that nobody may read. Can be retried. */
  askAccess(request: AccessRequest): Promise<AccessAnswer>;
}

/** On the queue `deploy`, for the reconcile workflow. Each can be retried. */
export interface ReconcileActivities {
  /** Returns every repository in which the App is installed and which the server allows. */
  listRepositories(): Promise<readonly BranchToReconcile[]>;
  /** Signals each root whose newest change reached no lane. Returns its findings, one sentence for each repository. */
  reconcileRepositories(branches: readonly BranchToReconcile[]): Promise<readonly string[]>;
  /** Has GitHub send webhooks again that reached nobody. Returns a sentence for each. */
  redeliverWebhooks(): Promise<readonly string[]>;
}

/** On the queue `deploy`, for the watch workflow. Each can be retried. None ends or resets a workflow. */
export interface WatchActivities {
  /** Returns the result of the last watch; null when Temporal knows none. */
  lastWatch(): Promise<WatchResult | null>;
  /** Raises the alarm for each stuck workflow; `before` is the list from the last watch. */
  reportStuck(before: readonly StuckWorkflow[]): Promise<StuckReport>;
  /** Starts every lane that does not run and whose record has work. Returns a sentence for each. */
  resumeLanes(): Promise<readonly string[]>;
  /**
   * Tells lanes the end of deployments whose terraform workflow was ended by force. Looks at workflows that closed after
   * `after`, where the last look stopped.
   */
  reportClosed(after: string | undefined): Promise<ClosedReport>;
}

/** A workflow whose task fails again and again. It does nothing until an operator repairs it. */
export interface StuckWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  /** A name from `WORKFLOW`. */
  readonly type: string;
  /** Why its task fails, for operators; at most 200 characters. */
  readonly reason: string;
  /** Whether the check runs that it holds up say that it is stuck. */
  readonly isShown: boolean;
  /** The workflow goes on, but its check runs may still say that it is stuck. */
  readonly goesOn?: true;
}

export interface StuckReport {
  /** How many are stuck. */
  readonly count: number;
  /** At most 200 of the stuck ones, and those that go on but whose check runs may still say that they are stuck. */
  readonly workflows: readonly StuckWorkflow[];
}

export interface ClosedReport {
  /** A sentence for each lane that was told. */
  readonly found: readonly string[];
  /** When the last workflow of this look closed, ISO 8601; absent when none is left to look at. */
  readonly after?: string;
}

export interface BranchToReconcile {
  readonly repository: Repository;
  /** The branch that is deployed. */
  readonly branch: string;
}

/** Result of the reconcile workflow, for the Temporal UI. */
export interface ReconcileResult {
  readonly repositories: number;
  /** At most 100. */
  readonly found: readonly string[];
}

/** Result of the watch workflow, for the Temporal UI and for the next watch. */
export interface WatchResult {
  readonly stuck: StuckReport;
  /** At most 100. */
  readonly found: readonly string[];
  /** The parts that failed, each with its reason, at most 300 characters. */
  readonly failed: readonly string[];
  /** When lanes were last checked, ISO 8601. */
  readonly lanesAt: string;
  /** Where the last look at closed terraform workflows stopped: `after` of its report. */
  readonly closedAfter?: string;
}

/** On the queue `deploy`, for the deploy workflow. All send heartbeats, so that a lost worker is noticed within seconds. */
export interface LaneActivities {
  /**
   * Returns the lane's record, or the reason why it cannot be read. `shown` is the reason that is shown already. While the
   * reason stays the same, the activity fails, so that the server retries it without an event of history. When only the record
   * is `awaited`, the activity fails with any reason.
   */
  readLane(
    repository: Repository,
    rootName: string,
    shown: string | null,
    awaited: 'news' | 'record',
  ): Promise<LaneRead>;
  /** Stores the lane and makes the comparisons that a deployment needs before it starts. */
  admitDeployment(admission: Admission): Promise<Admitted>;
  /** Stores the changes of a lane. Throws the errors of storage and the audit trail, to be retried. */
  settleLane(settlement: Settlement): Promise<LaneStored>;
  /** Finds the state of a terraform workflow that this run of the lane did not start, or that closed without a result. */
  findTerraform(
    repository: Repository,
    rootName: string,
    running: { readonly deploymentId: string; readonly pool: string },
  ): Promise<TerraformFound>;
  showCheckRuns(repository: Repository, presentations: readonly Presentation[]): Promise<readonly Shown[]>;
  /**
   * Returns what is known of the deployments that these wait for, one answer for each. While none of the answers is news, the
   * activity fails, so that the server retries it without an event of history.
   */
  findDependencies(
    repository: Repository,
    dependents: readonly DependentDeployment[],
  ): Promise<readonly DependenciesFound[]>;
}

export type LaneRead =
  /** `stored` is null when this root was never deployed. */
  { readonly kind: 'read'; readonly stored: StoredLane | null } | { readonly kind: 'unreadable'; readonly why: string };

export interface StoredLane {
  readonly record: LaneRecord;
  readonly version: string;
}

export interface Admission {
  /** The lane as it stands while the deployment runs. */
  readonly record: LaneRecord;
  readonly ifVersion: string | null;
  /** The revision that is deployed; absent when there is none, or when it is the same revision. */
  readonly compareWith?: string;
  /** The last merge that was deployed before the latest, manual deployment; absent when no comparison with it is needed. */
  readonly compareWithMerge?: string;
  /** Commits to look for in the revision. A revision contains itself; no revision contains a commit that is gone. */
  readonly contains?: readonly string[];
}

/** An answer is `unanswered` when it could not be found, and says why. */
export interface Admitted {
  readonly stored: LaneStored | Unanswered;
  /** A base that is gone counts as diverged. */
  readonly comparison?: Compared | Unanswered;
  readonly comparisonWithMerge?: Compared | Unanswered;
  readonly contained?: { readonly kind: 'listed'; readonly shas: readonly string[] } | Unanswered;
}

export interface Compared {
  readonly kind: 'compared';
  readonly comparison: Comparison;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  /** For people, at most 300 characters. */
  readonly why: string;
}

export type LaneStored =
  | { readonly kind: 'stored'; readonly version: string }
  /** Another writer stored the record in between; nothing was written. */
  | { readonly kind: 'other'; readonly stored: StoredLane }
  /** Another writer stored a record that cannot be read. */
  | { readonly kind: 'unreadable'; readonly why: string };

export interface Settlement {
  readonly record: LaneRecord;
  readonly ifVersion: string | null;
  /** Deployments that ended without a terraform workflow to record them. Each is stored once and for all. */
  readonly ended: readonly DeploymentRecord[];
  /** Ends of apply jobs whose terraform workflow is gone and cannot write them. */
  readonly audits: readonly AuditEvent[];
}

export type Comparison = 'ahead' | 'identical' | 'behind' | 'diverged';

/** The content of one deployment's check run. The pure `renderCheckRun` of packages/github renders it. */
export interface Presentation {
  readonly deployment: Deployment;
  /** How many deployments go before it; present while it waits. */
  readonly ahead?: number;
  /** The lock it waits for. */
  readonly lock?: Lock;
  readonly notice?: string;
  /** A notice that names somebody is shown only with it, or if that person asked for the deployment's end. */
  readonly noticeProof?: NoticeProof;
  /** An earlier attempt may have created the check run although its answer was lost: look before creating one. */
  readonly creationUncertain?: boolean;
}

/** The result of one presentation. */
export type Shown =
  | { readonly deploymentId: string; readonly kind: 'shown'; readonly checkRuns: readonly CheckRunRef[] }
  /** Worth another try, but not before `retryAfterMs` if given: GitHub may still be busy with the last one. */
  | { readonly deploymentId: string; readonly kind: 'failed'; readonly why: string; readonly retryAfterMs?: number }
  /** Its turn among the installation's writes comes after `retryAfterMs`. A more important write may get an earlier turn. */
  | { readonly deploymentId: string; readonly kind: 'limited'; readonly why: string; readonly retryAfterMs: number }
  /** GitHub will not show this, however often it is asked. */
  | { readonly deploymentId: string; readonly kind: 'refused'; readonly why: string };

/** A result that needs no retry. */
export type Taken = Extract<Shown, { readonly kind: 'shown' | 'refused' }>;

export type TerraformFound =
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly progress: Progress }
  | { readonly kind: 'completed'; readonly result: TerraformResult }
  /**
   * It closed without a result. `apply` is the last apply that it asked for; `outcome` is known from its history or from the
   * marker of its host.
   */
  | {
      readonly kind: 'closed';
      readonly apply?: { readonly jobId: string; readonly hostId?: string; readonly outcome?: ApplyOutcome };
    }
  /** It is gone, but an apply on its host or a write to GitHub may still be under way: ask again later. */
  | { readonly kind: 'closing' }
  /** It was never started: starting it is safe. */
  | { readonly kind: 'not-started' };

/** On the queue `deploy`, for the terraform workflow. */
export interface TerraformActivities {
  /** Throws, to be retried, while GitHub does not take it. */
  showCheckRun(repository: Repository, presentation: Presentation): Promise<Taken>;
  /**
   * Judges the review that the order of a deployment names, at this moment. Whatever is not as it was reviewed is a reason, not a
   * failure. Throws `FORGED`, unless intake ordered the deployment. Can be retried.
   */
  findReviewedPlan(repository: Repository, deployment: Deployment): Promise<ReviewedPlan>;
  /** Throws `FORGED`, unless a host of the deployment's pool signed the plan. Asked before a person is. */
  verifyPlan(deployment: Deployment, plan: Plan): Promise<void>;
  /** Throws `FORGED`, unless intake signed the review. */
  verifyReview(review: PlanReview): Promise<void>;
  /** Throws `FORGED`, unless intake signed the override. */
  verifyOverride(override: PolicyOverride): Promise<void>;
  /**
   * Gives leave to apply, after it has verified order, plan and review, and stored the events of the audit trail. Throws
   * `FORGED`, `DEPLOYMENT_ENDED` when the deployment's end is stored already, `POLICY_CHANGED`, `LANE_LOCKED`, `OUTDATED`,
   * `OVERTAKEN`, `REVIEW_OUTDATED`, `APPROVAL_EXPIRED`, `TOO_MANY_JOBS` or `DEPENDENCY_FAILED` for good, and, to be retried, `NOT_ITS_TURN` while
   * another apply of the lane is under way, or `DEPENDENCY_OPEN` while the deployment has to wait for another lane.
   */
  begin(beginning: Beginning): Promise<Go>;
  /** Stores in the audit trail that a press of Confirm, Reject or Override was refused; another attempt does not store it twice. */
  recordRefusal(refusal: RefusedReview): Promise<void>;
  /** Stores in the audit trail how applies ended that never began, while the deployment goes on. Can be retried. */
  recordUnapplied(unapplied: Unapplied): Promise<void>;
  /**
   * Ends a deployment: tells its lane, and starts the lane if it does not run, tells GitHub, then stores the end. Throws, to be
   * retried, when the lane cannot be told.
   */
  endDeployment(ending: Ending): Promise<Ended>;
  /** Finishes an ended deployment: stores its record and its last audit events, and deletes its kept plan. */
  finishDeployment(finish: Finish): Promise<void>;
  /** Whether the host has written its record lately: a host that is cut off from Temporal may still reach storage. */
  isHostAlive(hostId: string): Promise<boolean>;
  /** Returns a sentence that says why no host of the pool takes the waiting job. */
  whyNoHost(pool: string): Promise<string>;
}

/** A press of Confirm, Reject or Override that changes nothing. */
export interface RefusedReview {
  readonly repository: Repository;
  /** As it was ordered. */
  readonly deployment: Deployment;
  readonly review: PlanReview | PolicyOverride;
  /** What the person was told. */
  readonly sentence: string;
}

/** A deployment is planned again, or asks a person again, after it got leave to apply. */
export interface Unapplied {
  readonly repository: Repository;
  /** With the plan that was not applied, and its review. */
  readonly deployment: Deployment;
  readonly audits: readonly AuditEvent[];
}

export interface Ending extends Finish {
  /**
   * The rest of the presentation for GitHub. Absent when an earlier write may still be under way; then only the lane is told.
   */
  readonly show?: Omit<Presentation, 'deployment'>;
}

export interface Ended {
  /** Absent when GitHub was not told, or did not take it. */
  readonly shown?: Taken;
  /** Whether the end is stored, with all check runs. */
  readonly isStored: boolean;
}

export interface Finish {
  readonly record: DeploymentRecord;
  readonly audits: readonly AuditEvent[];
  /** Whether storage may hold a kept plan that nobody else deletes. */
  readonly deletesPlan: boolean;
}

/** On the two queues of claims of the host's pool. */
export interface ClaimActivities {
  claimHost(deploymentId: string): Promise<Claim>;
}

/** On a host's own queue. */
export interface HostActivities {
  /** Prepares, plans, keeps the plan and gives the slot back. The heartbeat names the current step. */
  planOnHost(job: HostJob): Promise<PlanOutcome>;
  /** Takes a slot, restores the kept plan if the tree is not at hand, and applies exactly that plan. One attempt only. */
  applyOnHost(job: ApplyJob): Promise<ApplyOutcome>;
  /**
   * Follows an apply whose worker was lost to its end, or says that it never began. After that, no apply of this job can
   * begin any more.
   */
  inspectApply(job: ApplyJob): Promise<ApplyOutcome>;
  cleanUpHost(deploymentId: string): Promise<void>;
}
