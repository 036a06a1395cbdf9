/** What workflows ask of workers. The implementations are in apps/worker; workflows see only these types. */
import type { AuditEvent } from './audit.ts';
import type { CheckRunRef, Deployment, Lock } from './deployment.ts';
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
import type { DeploymentRecord, LaneRecord, TerraformState } from './lane.ts';
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
  /** Has workflows go on that are stuck because their code decides otherwise than their history says. A sentence for each. */
  mendStuck(): Promise<readonly string[]>;
  /** Every repository that is installed and allowed. */
  listRepositories(): Promise<readonly BranchToReconcile[]>;
  /** Signals each root whose newest change reached no lane. Answers what was found, one sentence for each repository. */
  reconcileRepositories(branches: readonly BranchToReconcile[]): Promise<readonly string[]>;
  /** Starts the lanes that were ended by force since then, ISO 8601, while something ran or waited in them. */
  resumeLanes(since: string): Promise<readonly string[]>;
  /** Has GitHub send again what reached nobody. Answers what was sent. */
  redeliverWebhooks(): Promise<readonly string[]>;
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

/** On the queue `deploy`, for the deploy workflow. */
export interface LaneActivities {
  /**
   * The lane's record, or why it cannot be read, as a sentence that names it. Throws, to be tried again, while that is what is
   * `shown` already; any other reason too where the record alone is `awaited`.
   */
  restoreLane(
    repository: Repository,
    rootName: string,
    shown: string | null,
    awaited?: 'any news' | 'record',
  ): Promise<RestoredLane>;
  /**
   * Answers the new version. Throws `RECORD_CONFLICT` when another writer was there in between, also when what it left cannot
   * be read.
   */
  storeLane(record: LaneRecord, ifVersion: string | null): Promise<string>;
  storeDeployment(record: DeploymentRecord): Promise<void>;
  /** How `head` stands to `base`, as GitHub says; a base that is gone counts as diverged. */
  compareRevisions(repository: Repository, base: string, head: string): Promise<Comparison>;
  /** Which of these commits the head contains, itself included. A commit that is gone is contained in none. */
  listContained(repository: Repository, head: string, shas: readonly string[]): Promise<readonly string[]>;
  presentCheckRuns(repository: Repository, presentations: readonly Presentation[]): Promise<readonly Presented[]>;
  /** Awaits the end of a terraform workflow that another run of the lane started. */
  awaitTerraform(deploymentId: string): Promise<TerraformEnd>;
}

export type RestoredLane =
  /** Null: this root was never deployed. */
  | { readonly kind: 'restored'; readonly stored: StoredLane | null }
  | { readonly kind: 'unreadable'; readonly why: string };

export interface StoredLane {
  readonly record: LaneRecord;
  readonly version: string;
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
  readonly mayExist?: boolean;
}

export type Presented =
  | { readonly deploymentId: string; readonly kind: 'presented'; readonly checkRuns: readonly CheckRunRef[] }
  /** Worth another try, not before `retryAfterMs` where it is given: GitHub may still be at the last one. */
  | { readonly deploymentId: string; readonly kind: 'failed'; readonly why: string; readonly retryAfterMs?: number }
  /** GitHub wants to hear nothing of the whole installation before then. */
  | { readonly deploymentId: string; readonly kind: 'limited'; readonly why: string; readonly retryAfterMs: number }
  /** GitHub will not show this, however often it is asked. */
  | { readonly deploymentId: string; readonly kind: 'refused'; readonly why: string };

/** `closed`: without a result. `not-there`: it was never started, or so long ago that Temporal has forgotten it. */
export type TerraformEnd =
  { readonly kind: 'ended'; readonly result: TerraformResult } | { readonly kind: 'closed' | 'not-there' };

/** On the queue `deploy`, for the terraform workflow. */
export interface TerraformActivities {
  recordAudit(event: AuditEvent): Promise<void>;
  deleteKeptPlan(deploymentId: string): Promise<void>;
  /** Whether the host has written its record lately: one that is cut off from Temporal may still reach storage. */
  isHostAlive(hostId: string): Promise<boolean>;
  /**
   * Why no host takes what waits for one, as a sentence. Throws `UNCHANGED`, to be tried again, while that is what is shown
   * already.
   */
  whyNoHost(shown: string | null): Promise<string>;
  /** Signal-with-start of the lane. */
  signalLane(repository: Repository, rootName: string, state: TerraformState): Promise<void>;
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
