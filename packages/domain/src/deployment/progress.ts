import type { BreakGlass } from '../plan/break-glass.ts';
import type { SaidFailure } from '../host/failure.ts';
import type { Job } from '../host/job.ts';
import type { PlanReview, Review } from '../plan/review.ts';
import type { Plan } from '../plan/model.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import type { Signed } from '../signed.ts';
import type { AppliedCounts, HostOutcome } from './job/apply-outcome.ts';
import type { DeploymentStatus } from './status.ts';
import type { WaitAtGate } from './wait-reason.ts';

/** The progress of a deployment: complete, but small (no plan text, no logs), at most 64 KiB. */
export interface Progress {
  readonly status: DeploymentStatus;
  /** When each status was entered, ISO 8601. */
  readonly times: Readonly<Partial<Record<DeploymentStatus, string>>>;
  /** The reason for the status, as a sentence for people: why it waits, or why it was skipped, refused or cancelled. */
  readonly reason?: string;
  /** Present while no host has a slot for the next step, or a gate is closed before it; the reason says why. */
  readonly waitsFor?: 'host' | WaitAtGate;
  readonly hostId?: string;
  readonly jobs: { readonly plan?: Job; readonly apply?: Job };
  readonly plan?: Plan;
  readonly review?: Review;
  /** The newest of each person who confirmed the plan, where several have to; the last of them becomes the review. */
  readonly approvals?: readonly Signed<PlanReview>[];
  /** Of policies that deny the plan; absent when there are none. */
  readonly overrides?: readonly Signed<PolicyOverride>[];
  /** Of the person who lets its plan pass stops and windows, once there is permission to apply it. */
  readonly glass?: Signed<BreakGlass>;
  readonly applied?: AppliedCounts;
  readonly failure?: SaidFailure;
  /** Present once a host said how an apply of the deployment ended. */
  readonly proof?: Signed<HostOutcome>;
}
