import type { AuditEvent } from './audit.ts';
import type {
  AppliedCounts,
  CheckRunRef,
  Deployment,
  Failure,
  Job,
  OutcomeProof,
  PlanSummary,
  PlanWarnings,
  Progress,
  Revision,
} from './deployment.ts';
import type { Reported, ShownNotice } from './lane.ts';
import type { PolicyResult } from './policy.ts';
import type { Repository } from './repository.ts';
import type { Root } from './root.ts';

/** The start input of the terraform workflow; its id is the deployment's. */
export interface TerraformInput {
  readonly repository: Repository;
  /** The deployment as its lane knows it, check runs included. */
  readonly deployment: Deployment;
  /** The state of the check run, as the lane knows it. */
  readonly reported: Reported;
  /** Every plan with changes needs a review, whatever the root says. */
  readonly reviewRequired: boolean;
  readonly durations?: Partial<TerraformDurations>;
}

/** Milliseconds. Passed in so that tests run in milliseconds and a root can have its own. */
export interface TerraformDurations {
  /** One attempt to claim a host. */
  readonly claimMs: number;
  /** A wait for a host is shown when it lasts longer than this. */
  readonly claimShownAfterMs: number;
  /** The first interval at which the shown reason for that wait is checked; it grows. */
  readonly claimRefreshMs: number;
  /** A host that has not begun an activity of ours after this is dead: its queue runs more activities than it has slots. */
  readonly hostScheduleToStartMs: number;
  /** A change to an `in_progress` check run is shown only when it lasts longer than this. */
  readonly quietMs: number;
  /** If its plan has waited longer than this, the host that planned is checked before the apply is sent to it. */
  readonly hostKnownMs: number;
  /** Before an apply, the host that planned has this long to begin. */
  readonly sameHostMs: number;
  readonly heartbeatMs: number;
  /** For preparing, planning and keeping the plan together. Default: the root's limit for its plan, plus time for the rest. */
  readonly planMs: number;
  /** How long failures outside of Terraform (git, GitHub, storage, hosts) are retried before the workflow gives up. */
  readonly patienceMs: number;
  /** The first pause between such retries; it doubles up to half a minute. */
  readonly pauseMs: number;
  readonly applyMs: number;
  /** How long to wait for the worker of a silent host whose apply may still run. */
  readonly comeBackMs: number;
  readonly gateMs: number;
  /** How long the records of an ended deployment wait for GitHub to show the end. */
  readonly tellFirstMs: number;
  /** How long the audit trail may take until an apply is given up. */
  readonly auditMs: number;
  /** How long the first attempt to begin an approved apply may take before the check run says who approved. */
  readonly promptMs: number;
  readonly cleanUpMs: number;
}

/** The result of the terraform workflow. */
export interface TerraformResult {
  /** The final progress; its status is one of `ENDED_STATUSES`. */
  readonly progress: Progress;
  /** The check runs of the deployment, and the state of the last one: from here on, the lane writes it. */
  readonly checkRuns: readonly CheckRunRef[];
  readonly reported: Reported;
  /** The sentence at the top of the check run, to be shown for some more seconds. */
  readonly notice?: ShownNotice;
}

/** Signal `plan-review`: a person's answer at the gate. */
export interface PlanReview {
  readonly version: 1;
  readonly requestId: string;
  readonly deploymentId: string;
  readonly answer: 'approved' | 'rejected';
  /** The plan's. */
  readonly digest: string;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
  /** Intake's, over `reviewFacts`, after it asked GitHub whether this person may. */
  readonly signature?: string;
}

/** Signal `cancelling`: names the person who asked for the cancellation that follows. */
export interface Cancelling {
  readonly version: 1;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
  /** As in `Cancel`. */
  readonly signature?: string;
}

/** A claim that a host declined comes again after this. */
export const DECLINED_CLAIM_MS = 200;

/** The answer of a host to a claim. */
export interface Claim {
  readonly hostId: string;
  /** The host's, over `claimFacts`. */
  readonly signature?: string;
}

/** The facts that the activities of a host know about their deployment. */
export interface HostJob {
  readonly deploymentId: string;
  readonly jobId: string;
  readonly repository: Repository;
  readonly root: Root;
  readonly revision: Revision;
  readonly requestedBy: string;
  readonly order: Order;
}

/** The rest of what intake signed, besides the facts that a host uses. */
export interface Order extends Pick<
  Deployment,
  | 'requestId'
  | 'trigger'
  | 'rerun'
  | 'force'
  | 'requestedById'
  | 'pullRequest'
  | 'preview'
  | 'formerly'
  | 'reviewed'
  | 'rollout'
  | 'orderedAt'
  | 'installationId'
> {
  /** Intake's, over `orderFacts`. */
  readonly signature?: string;
}

/** The outcome of preparing, planning and keeping the plan. Failures of the host are thrown, not returned. */
export type PlanOutcome =
  | {
      readonly kind: 'planned';
      readonly hasChanges: boolean;
      /** SHA-256 of the plan file, 64 hex digits. */
      readonly digest: string;
      readonly summary: PlanSummary;
      /** As in `Plan`. */
      readonly textDigest?: string;
      readonly policies?: readonly PolicyResult[];
      readonly warnings?: PlanWarnings;
      readonly stateVersion?: string;
      readonly newWorkspace?: true;
      /** The host's, over `planFacts`. */
      readonly signature?: string;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nothing was planned: an apply of the deployment has begun, and this is all that is known of its end. */
  | { readonly kind: 'apply-begun'; readonly outcome: EndedApply };

/** Asks for leave to apply the plan of a deployment. */
export interface Beginning {
  readonly repository: Repository;
  /** With its plan. */
  readonly deployment: Deployment;
  /** Absent when the plan takes none. */
  readonly review?: PlanReview;
  readonly job: Job;
  /** The host that is to apply. */
  readonly hostId: string;
  /** Its signature on its claim. */
  readonly claim?: string;
  /** What the audit trail must hold before the apply begins. */
  readonly audits: readonly AuditEvent[];
}

/** The leave to apply. No host applies without one. */
export interface Go {
  /** ISO 8601; some minutes after it was given. */
  readonly expiresAt: string;
  /** The plan has no changes, and nobody asked for the apply: it ends without running anything. */
  readonly isEmpty?: true;
  /** Over `goFacts`. */
  readonly signature: string;
}

export interface ApplyJob extends HostJob {
  /** The plan that was approved. */
  readonly digest: string;
  readonly hostId: string;
  readonly go: Go;
  /** The approval for which leave was given; absent when the plan takes none. */
  readonly review?: PlanReview;
}

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly counts: AppliedCounts; readonly proof?: OutcomeProof }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly proof?: OutcomeProof }
  /** Nothing was applied: the state changed since the plan was made, or the plan is not where it was kept. */
  | { readonly kind: 'plan-unusable'; readonly why: string }
  /** The worker was lost before Terraform was asked to apply, and in this job it never will be. */
  | { readonly kind: 'not-begun' }
  /** Terraform was killed, or left no exit code. */
  | { readonly kind: 'unknown'; readonly why: string };

/** The outcomes of an apply that began. */
export type EndedApply = Extract<ApplyOutcome, { readonly kind: 'applied' | 'failed' | 'unknown' }>;

/** The heartbeat of a host's activity, for the Temporal UI. */
export interface HostHeartbeat {
  readonly step: string;
}
