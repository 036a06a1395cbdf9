/** What workflows ask of workers. The implementations are in apps/worker; workflows see only these types. */
import type { AuditEvent } from './audit.ts';
import type { CheckRunRef, Deployment, Lock, Progress } from './deployment.ts';
import type {
  ButtonEvent,
  CommentEvent,
  IntakeEvent,
  IntakeResult,
  LateOutcomeEvent,
  Press,
  PushEvent,
  RerunAllEvent,
  RerunEvent,
} from './intake.ts';
import type { DeploymentRecord, LaneRecord } from './lane.ts';
import type { Repository } from './repository.ts';
import type { ApplyJob, ApplyOutcome, Claim, HostJob, PlanOutcome, TerraformResult } from './terraform.ts';

/**
 * On the queue `deploy`, for the intake workflow. One activity an event: each is idempotent by the delivery's id, and fails with
 * the presses that it judged as the details of its failure.
 */
export interface IntakeActivities {
  takePush(delivery: string, event: PushEvent): Promise<IntakeResult>;
  takeButton(delivery: string, event: ButtonEvent): Promise<IntakeResult>;
  takeRerun(delivery: string, event: RerunEvent): Promise<IntakeResult>;
  takeRerunAll(delivery: string, event: RerunAllEvent): Promise<IntakeResult>;
  takeComment(delivery: string, event: CommentEvent): Promise<IntakeResult>;
  /** Shows the outcome on the deployment's check run. It lifts no lock, and the deployment stays as it ended. */
  takeLateOutcome(delivery: string, event: LateOutcomeEvent): Promise<IntakeResult>;
  /** What a person asked for with an event that nobody took, as refused: `why` says what happened. */
  listNotTaken(event: IntakeEvent, why: string): Promise<readonly Press[]>;
  /** Stores them in order; another attempt stores none twice. */
  recordAudits(events: readonly AuditEvent[]): Promise<void>;
}

/** On the queue `deploy`, for the reconcile workflow. Each can be tried again. */
export interface ReconcileActivities {
  /** Every repository that is installed and allowed. */
  listRepositories(): Promise<readonly BranchToReconcile[]>;
  /** Signals each root whose newest change reached no lane. Answers what was found, one sentence for each repository. */
  reconcileRepositories(branches: readonly BranchToReconcile[]): Promise<readonly string[]>;
  /** Has GitHub send again what reached nobody. Answers what was sent. */
  redeliverWebhooks(): Promise<readonly string[]>;
}

/** On the queue `deploy`, for the watch workflow. Each can be tried again. None ends or resets a workflow. */
export interface WatchActivities {
  /** What the last watch came to; null where Temporal knows none. */
  lastWatch(): Promise<WatchResult | null>;
  /** Raises the alarm for each workflow that is stuck; `before` is what the last watch answered. */
  reportStuck(before: readonly StuckWorkflow[]): Promise<StuckReport>;
  /** Starts every lane that does not run, and whose record has work. Answers a sentence for each. */
  resumeLanes(): Promise<readonly string[]>;
  /** Tells lanes the end of deployments whose terraform workflow was ended by force; `after` is where the last look ended. */
  reportClosed(after: string | undefined): Promise<ClosedReport>;
}

/** A workflow whose task fails again and again: it does nothing any more, until an operator mends it. */
export interface StuckWorkflow {
  readonly workflowId: string;
  readonly runId: string;
  /** As in `WORKFLOW`. */
  readonly type: string;
  /** How its task fails, for operators; at most 200 characters. */
  readonly reason: string;
  /** The check runs of what waits for it say so. */
  readonly isShown: boolean;
  /** It goes on, while its check runs may still say that it is stuck. */
  readonly goesOn?: true;
}

export interface StuckReport {
  /** How many are stuck. */
  readonly count: number;
  /** At most 200 of them, and those that go on. */
  readonly workflows: readonly StuckWorkflow[];
}

export interface ClosedReport {
  /** A sentence for each lane that was told. */
  readonly found: readonly string[];
  /** When the last one that was looked at closed, ISO 8601; absent where none is left. */
  readonly after?: string;
}

export interface BranchToReconcile {
  readonly repository: Repository;
  /** The branch that is deployed. */
  readonly branch: string;
}

/** Result of the reconcile workflow: what it found, for the Temporal UI. */
export interface ReconcileResult {
  readonly repositories: number;
  /** At most 100. */
  readonly found: readonly string[];
}

/** Result of the watch workflow: what it found, for the Temporal UI and for the next one. */
export interface WatchResult {
  readonly stuck: StuckReport;
  /** At most 100. */
  readonly found: readonly string[];
  /** The parts that failed, each with why, at most 300 characters. */
  readonly failed: readonly string[];
  /** When lanes were last looked after, ISO 8601. */
  readonly lanesAt: string;
  /** Where the last look at closed terraform workflows ended. */
  readonly closedAfter?: string;
}

/** On the queue `deploy`, for the deploy workflow. All of them beat, so that a lost worker is noticed within seconds. */
export interface LaneActivities {
  /**
   * The lane's record, or why it cannot be read, as a sentence that names it. `shown` is the reason that is shown already:
   * while it stays the same, the activity fails, to be tried again without an event of history. So it does with any reason where
   * the record alone is `awaited`.
   */
  readLane(
    repository: Repository,
    rootName: string,
    shown: string | null,
    awaited: 'news' | 'record',
  ): Promise<LaneRead>;
  /** What has to be known and stored before a deployment starts. */
  admitDeployment(admission: Admission): Promise<Admitted>;
  /** Stores what changed in a lane. Throws, to be tried again, what storage and the audit trail throw. */
  settleLane(settlement: Settlement): Promise<LaneStored>;
  /** What became of the terraform workflow that a lane did not start itself, or that closed without a result. */
  findTerraform(repository: Repository, rootName: string, deploymentId: string): Promise<TerraformFound>;
  showCheckRuns(repository: Repository, presentations: readonly Presentation[]): Promise<readonly Shown[]>;
}

export type LaneRead =
  /** `stored` is null where this root was never deployed. */
  { readonly kind: 'read'; readonly stored: StoredLane | null } | { readonly kind: 'unreadable'; readonly why: string };

export interface StoredLane {
  readonly record: LaneRecord;
  readonly version: string;
}

export interface Admission {
  /** The lane as it is while the deployment runs. */
  readonly record: LaneRecord;
  readonly ifVersion: string | null;
  /** What is deployed; absent where nothing is, or this very revision. */
  readonly compareWith?: string;
  /** The merge that was deployed before a manual deployment; absent where nothing has to be compared with it. */
  readonly compareWithMerge?: string;
  /** Asked which of these commits the revision contains, itself included. A commit that is gone is contained in none. */
  readonly contains?: readonly string[];
}

/** An answer that could not be had says why. */
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
  /** Another writer was there in between; nothing was written. */
  | { readonly kind: 'other'; readonly stored: StoredLane }
  /** What another writer left cannot be read. */
  | { readonly kind: 'unreadable'; readonly why: string };

export interface Settlement {
  readonly record: LaneRecord;
  readonly ifVersion: string | null;
  /** Deployments that ended without a terraform workflow to record them. Each is stored once and for all. */
  readonly ended: readonly DeploymentRecord[];
  /** Ends of apply jobs whose terraform workflow is not there to write them. */
  readonly audits: readonly AuditEvent[];
}

export type Comparison = 'ahead' | 'identical' | 'behind' | 'diverged';

/** What one deployment's check run should say. Rendered by the pure `renderCheckRun` of packages/github. */
export interface Presentation {
  readonly deployment: Deployment;
  /** How many deployments go before it; present while it waits. */
  readonly ahead?: number;
  /** The lock it waits for. */
  readonly lock?: Lock;
  readonly notice?: string;
  /** An earlier attempt may have created its check run without anybody hearing of it: look before creating one. */
  readonly creationUncertain?: boolean;
}

/** What became of one presentation. */
export type Shown =
  | { readonly deploymentId: string; readonly kind: 'shown'; readonly checkRuns: readonly CheckRunRef[] }
  /** Worth another try, not before `retryAfterMs` where it is given: GitHub may still be at the last one. */
  | { readonly deploymentId: string; readonly kind: 'failed'; readonly why: string; readonly retryAfterMs?: number }
  /** Its turn among all writes of the installation comes then; what is more important may have an earlier one. */
  | { readonly deploymentId: string; readonly kind: 'limited'; readonly why: string; readonly retryAfterMs: number }
  /** GitHub will not show this, however often it is asked. */
  | { readonly deploymentId: string; readonly kind: 'refused'; readonly why: string };

/** Nothing is to be tried again. */
export type Taken = Extract<Shown, { readonly kind: 'shown' | 'refused' }>;

export type TerraformFound =
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly progress: Progress }
  | { readonly kind: 'completed'; readonly result: TerraformResult }
  /** Without a result. `apply` is the last one that was asked for; `outcome` what its history or its host's marker says of it. */
  | {
      readonly kind: 'closed';
      readonly apply?: { readonly jobId: string; readonly hostId?: string; readonly outcome?: ApplyOutcome };
    }
  /** It is gone, and what it began may not be over: an apply on its host, a write to GitHub. Asked again later. */
  | { readonly kind: 'closing' }
  /** It was never started: starting it is safe. */
  | { readonly kind: 'not-started' };

/** On the queue `deploy`, for the terraform workflow. */
export interface TerraformActivities {
  /** Throws, to be tried again, while GitHub does not take it. */
  showCheckRun(repository: Repository, presentation: Presentation): Promise<Taken>;
  /** Stores events of the audit trail in order; another attempt stores none twice. */
  recordAudits(events: readonly AuditEvent[]): Promise<void>;
  /**
   * The end of a deployment: tells its lane, which that starts where it does not run, tells GitHub, then stores the end. Throws,
   * to be tried again, where the lane cannot be told.
   */
  endDeployment(ending: Ending): Promise<Ended>;
  /** What is left of a deployment that ended: its record, the end of its apply in the audit trail, its kept plan. */
  finishDeployment(finish: Finish): Promise<void>;
  /** Whether the host has written its record lately: one that is cut off from Temporal may still reach storage. */
  isHostAlive(hostId: string): Promise<boolean>;
  /**
   * Why no host takes what waits for one, as a sentence. Throws `UNCHANGED`, to be tried again, while that is what is shown
   * already.
   */
  whyNoHost(shown: string | null): Promise<string>;
}

export interface Ending extends Finish {
  /**
   * What GitHub is told beside the deployment. Absent: an earlier write may still be under way, so that only the lane is told.
   */
  readonly show?: Omit<Presentation, 'deployment'>;
}

export interface Ended {
  /** Absent: GitHub was not told, or did not take it. */
  readonly shown?: Taken;
  /** Whether it is stored, with all its check runs. */
  readonly isStored: boolean;
}

export interface Finish {
  readonly record: DeploymentRecord;
  readonly audits: readonly AuditEvent[];
  /** Whether a plan may be kept in storage that nobody else deletes. */
  readonly deletesPlan: boolean;
}

/** On the queue `terraform`. */
export interface ClaimActivities {
  claimHost(deploymentId: string): Promise<Claim>;
}

/** On a host's own queue. */
export interface HostActivities {
  /** Prepare, plan, keep plan; gives the slot back. The heartbeat says which step it is at. */
  planOnHost(job: HostJob): Promise<PlanOutcome>;
  /** Takes a slot, restores the kept plan where the tree is not at hand, applies exactly that plan. One attempt. */
  applyOnHost(job: ApplyJob): Promise<ApplyOutcome>;
  /**
   * For an apply whose worker was lost: follows it to its end, or says that it never began. Then none of that job can begin
   * any more.
   */
  inspectApply(job: ApplyJob): Promise<ApplyOutcome>;
  cleanUpHost(deploymentId: string): Promise<void>;
}
