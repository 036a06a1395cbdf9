import type { DeploymentRecord } from '../deployment/record.ts';
import type { Deployment } from '../deployment/model.ts';
import type { Go } from '../deployment/job/host-job.ts';
import type { Presentation, Taken } from '../deployment/presentation.ts';
import type { Claim, WaitExplained } from '../host/claim.ts';
import type { Job } from '../host/job.ts';
import type { CarriedReview, ConfirmedPlan } from '../plan/carried-review.ts';
import type { ReviewedPlan } from '../plan/merge-review.ts';
import type { PlanReview } from '../plan/review.ts';
import type { Plan } from '../plan/model.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { Repository } from '../root/repository.ts';
import type { Signed } from '../signed.ts';
import type { AuditEvent } from '../trail/audit-event.ts';
import type { Press } from './press.ts';

/** On the queue `deploy`, for the terraform workflow. */
export interface TerraformActivities {
  /** Throws, to be retried, while the forge does not take it. */
  showCheckRun(repository: Repository, presentation: Presentation): Promise<Taken>;
  /**
   * Judges the review that the order of a deployment names, at this moment. Whatever is not as it was reviewed is a reason, not a
   * failure. Throws `FORGED`, unless intake ordered the deployment. Can be retried.
   */
  findReviewedPlan(repository: Repository, deployment: Deployment): Promise<ReviewedPlan>;
  /** Throws `FORGED`, unless a host of the deployment's pool signed the plan. Asked before a person is. */
  verifyPlan(deployment: Deployment, plan: Plan): Promise<void>;
  /**
   * Whether the answers to an earlier plan of the deployment count for this one, by what is signed and by the server's file as it is.
   * Throws `FORGED`, unless a host of the deployment's pool signed both plans, and intake the answers. Can be retried.
   */
  carryReview(carrying: Carrying): Promise<CarriedReview>;
  /** Throws `FORGED`, unless intake signed the press of Confirm, Reject or Override. */
  verifyPress(press: Press): Promise<void>;
  /**
   * Gives permission to apply, after it has verified order, plan and review, and stored the events of the audit trail. Throws
   * `FORGED`, `ORDER_EXPIRED`, `DEPLOYMENT_ENDED` when the deployment's end is stored already, `POLICY_CHANGED`, `LANE_LOCKED`, `OUTDATED`,
   * `OTHER_STATE`, `OVERTAKEN`, `REVIEW_OUTDATED`, `APPROVAL_EXPIRED`, `TOO_MANY_JOBS` or `DEPENDENCY_FAILED` for good, and, to be retried, `NOT_ITS_TURN` while
   * another apply of the lane is under way, or `DEPENDENCY_OPEN` while the deployment has to wait for another lane.
   */
  begin(beginning: Beginning): Promise<Signed<Go>>;
  /**
   * Stores in the audit trail what happens while the deployment goes on: that a press of Confirm, Reject or Override was refused, or
   * how applies ended that never began. Another attempt does not store it twice.
   */
  recordAside(aside: RefusedReview | Unapplied): Promise<void>;
  /**
   * Ends a deployment: tells its lane, and starts the lane if it does not run, tells the forge, for some seconds, then stores the end.
   * Throws, to be retried, when the lane cannot be told; or, once all are told, when the end cannot be stored.
   */
  endDeployment(ending: Ending): Promise<Ended>;
  /** Whether the host has written its record lately: a host that is cut off from Temporal may still reach storage. */
  isHostAlive(hostId: string): Promise<boolean>;
  /** Says why no host of the pool takes the job of the workflow that asks, or which host plans. */
  explainWait(pool: string): Promise<WaitExplained>;
}

export interface Carrying {
  readonly repository: Repository;
  readonly deployment: Deployment;
  /** The one that was made last. */
  readonly plan: Plan;
  readonly confirmed: ConfirmedPlan;
}

/** Asks for permission to apply the plan of a deployment. */
export interface Beginning {
  readonly repository: Repository;
  /** With its plan. */
  readonly deployment: Deployment;
  /** Absent when the plan takes none. */
  readonly review?: Signed<PlanReview>;
  readonly job: Job;
  /** The host that is to apply. */
  readonly hostId: string;
  /** By which it took the deployment. */
  readonly claim?: Signed<Claim>;
  /** What the audit trail must hold before the apply begins. */
  readonly audits: readonly AuditEvent[];
}

/** A press of Confirm, Reject or Override that changes nothing. */
export interface RefusedReview {
  readonly repository: Repository;
  /** As it was ordered. */
  readonly deployment: Deployment;
  readonly review: Signed<PlanReview> | Signed<PolicyOverride>;
  /** What the person was told. */
  readonly sentence: string;
}

/** A deployment is planned again, or asks a person again, after it got permission to apply. */
export interface Unapplied {
  readonly repository: Repository;
  /** With the plan that was not applied, and its review. */
  readonly deployment: Deployment;
  readonly audits: readonly AuditEvent[];
}

export interface Ending extends Finish {
  /**
   * The rest of the presentation for the forge. Absent when an earlier write may still be under way; then only the lane is told.
   */
  readonly show?: Omit<Presentation, 'deployment'>;
  /** The lane and the forge were told before: the end is only stored. */
  readonly isTold?: boolean;
}

export interface Ended {
  /** Absent when the forge was not told, or did not take it. */
  readonly shown?: Taken;
  /** Whether the end is stored, with the check runs that the forge has shown by then. */
  readonly isStored: boolean;
}

export interface Finish {
  readonly record: DeploymentRecord;
  readonly audits: readonly AuditEvent[];
  /** Whether storage may hold a kept plan that nobody else deletes. */
  readonly deletesPlan: boolean;
}
