import type { AppliedCounts, CheckRunRef, Deployment, Failure, PlanSummary, Progress, Revision } from './deployment.ts';
import type { Reported, ShownNotice } from './lane.ts';
import type { Repository } from './repository.ts';
import type { Root } from './root.ts';

/** The start input of the terraform workflow; its id is the deployment's. */
export interface TerraformInput {
  readonly repository: Repository;
  /** As its lane knows it, its check runs included. */
  readonly deployment: Deployment;
  /** What GitHub was told by the lane, and what is uncertain of that. */
  readonly reported: Reported;
  /** A review is asked for whenever the plan has changes, whatever the root says. */
  readonly reviewRequired: boolean;
  readonly durations?: Partial<TerraformDurations>;
}

/** Milliseconds. Passed in so that tests run in milliseconds and a root can have its own. */
export interface TerraformDurations {
  /** One attempt to claim a host. */
  readonly claimMs: number;
  /** A wait for a host is shown when it lasts longer than this. */
  readonly claimShownAfterMs: number;
  /** How often it is looked, at first, whether what is shown of that wait is still true. */
  readonly claimRefreshMs: number;
  /** A host that has not begun an activity of ours after this is dead: its queue runs more activities than it has slots. */
  readonly hostScheduleToStartMs: number;
  /** A change of what is in progress is shown only when it lasts longer than this. */
  readonly quietMs: number;
  /** After its plan waited for longer, it is asked whether the host that planned is still there. */
  readonly hostKnownMs: number;
  /** Before an apply, the host that planned is given this long to begin. */
  readonly sameHostMs: number;
  readonly heartbeatMs: number;
  /** Prepare, plan and keep plan together. Default: what the root gives its plan, and what stands around it. */
  readonly planMs: number;
  /** How long what fails outside of Terraform (git, GitHub, storage, hosts) is tried again before it is given up. */
  readonly patienceMs: number;
  /** The first pause between such tries; it doubles up to half a minute. */
  readonly pauseMs: number;
  readonly applyMs: number;
  /** How long the worker of a host that is not heard of any more, and whose apply may still run, is waited for. */
  readonly comeBackMs: number;
  readonly gateMs: number;
  /** How long the records of a deployment that ended wait until GitHub shows the end. */
  readonly tellFirstMs: number;
  readonly auditMs: number;
  readonly cleanUpMs: number;
}

/** The result of the terraform workflow. */
export interface TerraformResult {
  /** The last one; its status is an ended one. */
  readonly progress: Progress;
  /** The check runs of the deployment, and what the last of them was told: the lane writes it from now on. */
  readonly checkRuns: readonly CheckRunRef[];
  readonly reported: Reported;
  /** What the check run says on top for some seconds more. */
  readonly notice?: ShownNotice;
}

/** Signal `plan-review`: a person's answer at the gate. */
export interface PlanReview {
  readonly version: 1;
  readonly requestId: string;
  readonly answer: 'approved' | 'rejected';
  /** The plan's digest, or its first 12 hex digits as a button carries them. */
  readonly digest: string;
  /** GitHub login. */
  readonly by: string;
}

/** Signal `cancelling`: who asked for the cancellation that follows. */
export interface Cancelling {
  readonly version: 1;
  /** GitHub login. */
  readonly by: string;
}

/** What a host answers to a claim. */
export interface Claim {
  readonly hostId: string;
}

/** What a host's activities know about the deployment they work for. */
export interface HostJob {
  readonly deploymentId: string;
  readonly jobId: string;
  readonly repository: Repository;
  readonly root: Root;
  readonly revision: Revision;
  readonly requestedBy: string;
}

/** The outcome of prepare, plan and keep plan. What the host did wrong is thrown, not returned. */
export type PlanOutcome =
  | {
      readonly kind: 'planned';
      readonly hasChanges: boolean;
      /** SHA-256 of the plan file, 64 hex digits. */
      readonly digest: string;
      readonly summary: PlanSummary;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface ApplyJob extends HostJob {
  /** The plan that was approved. */
  readonly digest: string;
}

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly counts: AppliedCounts }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nothing was applied: the state changed since the plan was made, or the plan is not where it was kept. */
  | { readonly kind: 'plan-unusable'; readonly why: string }
  /** The worker was lost before Terraform was asked to apply, and in this job it never will be. */
  | { readonly kind: 'not-begun' }
  /** Terraform was killed, or left no exit code. */
  | { readonly kind: 'unknown'; readonly why: string };

/** What a heartbeat of a host's activity carries, for the Temporal UI. */
export interface HostHeartbeat {
  readonly step: string;
}
