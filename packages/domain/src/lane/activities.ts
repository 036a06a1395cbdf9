import type { ApplyOutcome } from '../deployment/job/apply-outcome.ts';
import type { DeploymentRecord } from '../deployment/record.ts';
import type { Presentation, Shown } from '../deployment/presentation.ts';
import type { Progress } from '../deployment/progress.ts';
import type { TerraformResult } from '../deployment/terraform-workflow.ts';
import type { Signed } from '../signed.ts';
import type { SealedReadToken } from '../deployment/job/sealed-read-token.ts';
import type { GateWait } from '../gates/waits/gate-wait.ts';
import type { LaneRecord } from './record.ts';
import type { Repository } from '../root/repository.ts';
import type { DependenciesFound, DependentDeployment } from '../rollout/model.ts';
import type { AuditEvent } from '../trail/audit-event.ts';

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
  settleLane(settlement: Settlement): Promise<Settled>;
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
  /** Written to the forge as well, within a second. */
  readonly show?: Presentation;
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
  /** A gate that only control can ask is closed, so nothing was compared. */
  readonly closed?: GateWait;
  readonly shown?: Shown;
  /** With which a host without the key of the App fetches, if it begins soon; absent where hosts ask for it themselves. */
  readonly readToken?: Signed<SealedReadToken>;
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
  /** Present when the only one of `ended` has just returned its end. */
  readonly returned?: Returned;
}

/** A returned end is verified first, then shown, then stored. An end that the forge does not show in time is stored all the same. */
export interface Returned {
  /** Absent while other check runs of the lane are written. */
  readonly show?: Presentation;
  /** How long the forge may take, in milliseconds. */
  readonly withinMs: number;
}

/** Any other settlement is answered with the first. */
export type Settled =
  | (LaneStored & { readonly shown?: Shown })
  /** The returned end could not be stored: it is left to the lane. */
  | { readonly kind: 'unsettled'; readonly shown?: Shown }
  /** No host signed the returned end. */
  | { readonly kind: 'forged' };

/** The result that a terraform workflow returns to its lane. */
export interface ReturnedEnd extends TerraformResult {
  /**
   * Present when the workflow has told nobody of its end: its lane shows and stores it, with these last events of the audit
   * trail.
   */
  readonly untold?: readonly AuditEvent[];
}

export type Comparison = 'ahead' | 'identical' | 'behind' | 'diverged';

export type TerraformFound =
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly progress: Progress }
  | { readonly kind: 'completed'; readonly result: ReturnedEnd }
  /**
   * It closed without a result. `apply` is the last apply that it asked for; `outcome` is known from its history or from the
   * marker of its host.
   */
  | {
      readonly kind: 'closed';
      readonly apply?: { readonly jobId: string; readonly hostId?: string; readonly outcome?: ApplyOutcome };
    }
  /** It is gone, but an apply on its host or a write to the forge may still be under way: ask again later. */
  | { readonly kind: 'closing' }
  /** It was never started: starting it is safe. */
  | { readonly kind: 'not-started' };
