/** A deployment at work, in its terraform workflow. Plain data: each part has its own file that changes it. */
import type { CheckRunRef, Reported } from '../deployment/check-run.ts';
import type { Unlock } from '../deployment/lock.ts';
import type { ShownNotice } from '../deployment/notice.ts';
import type { Presentation } from '../deployment/presentation.ts';
import type { Progress } from '../deployment/progress.ts';
import type { TerraformDurations, TerraformInput } from '../deployment/terraform-workflow.ts';
import type { Claim } from '../host/claim.ts';
import type { Job } from '../host/job.ts';
import type { ConfirmedPlan } from '../plan/carried-review.ts';
import type { PlanReview, Review } from '../plan/review.ts';
import type { Signed } from '../signed.ts';
import type { AuditEvent } from '../trail/audit-event.ts';
import type { RefusedReview, Unapplied } from './activities.ts';
import type { Effect } from './effects.ts';
import type { Press } from './press.ts';
import type { Step } from './step.ts';
import type { Cancel } from '../deployment/model.ts';

export interface DeploymentActor {
  readonly input: TerraformInput;
  readonly durations: TerraformDurations;
  readonly progress: Progress;
  /** The one thing that the deployment does, or waits for. */
  readonly step: Step;
  /** The effect of the step that is under way. */
  readonly work: Work | undefined;
  readonly attempts: Attempts;
  readonly hosts: Hosts;
  readonly reviewing: Reviewing;
  readonly showing: Showing;
  readonly trail: Trail;
  /** Somebody cancelled the workflow. Who it was, `cancellation` says, unless it was somebody in Temporal. */
  readonly isCancelled: boolean;
  readonly cancellation: Signed<Cancel> | undefined;
  /** Nobody hears when the workflow closes: it tells its end before that. */
  readonly tellsEnd: boolean;
  /** Who lifted the lock that this deployment has set. */
  readonly unlocked: Signed<Unlock> | undefined;
}

export interface Work {
  readonly kind: Effect['kind'];
  /** Its cancellation was asked for. Its end comes all the same. */
  readonly isStopped: boolean;
}

/** How often something was tried, and how long it is tried yet. */
export interface Attempts {
  /** Plans that were begun; that of a preview before the merge does not count. */
  readonly plans: number;
  /** Why the last plan could not be used. */
  readonly whyAgain: string | undefined;
  /** Hosts that were lost during this plan. */
  readonly lost: number;
  /** Hosts that refused this plan's order as forged, or whose plan nobody signed. */
  readonly refused: number;
  /** Jobs for the apply of this plan. */
  readonly applies: number;
  readonly patience: Patience;
}

/** For failures outside of Terraform. A wait for a host is no failure, and uses up no patience. */
export interface Patience {
  /** In epoch milliseconds, without the waits for hosts. */
  readonly deadline: number;
  readonly pauseMs: number;
}

export interface Hosts {
  /** The answer of the host that holds the plan's working tree, or that is to apply. */
  readonly claim: Signed<Claim> | undefined;
  /** How long the deployment has waited for hosts, in milliseconds. */
  readonly waitedMs: number;
  /** How many jobs of each phase there were. */
  readonly jobs: Readonly<Record<'plan' | 'apply', number>>;
  /** Every host that has something of this deployment on its disk, and does not clean up by itself. */
  readonly used: readonly string[];
  /** Whether storage may hold a kept plan that nobody else deletes. */
  readonly keepsPlan: boolean;
}

/** The answers of people. */
export interface Reviewing {
  /** The plan that is shown. Undefined before that, and once nobody can answer any more. */
  readonly digest: string | undefined;
  /** An approval counts once control has given permission to apply; until then, nobody knows whether intake signed it. */
  readonly answer: Review | undefined;
  /** The approval of the current plan, as it came. */
  readonly approval: Signed<PlanReview> | undefined;
  /** The last plan that could not be used, with the answers to it, where these may count for an equal one. */
  readonly confirmed: ConfirmedPlan | undefined;
  /** The request ids of all presses that intake signed. */
  readonly known: readonly string[];
  /** Presses that are not decided yet, in the order in which they came. */
  readonly undecided: readonly Undecided[];
}

/** A signed one waits for the answer that came before it. */
export interface Undecided {
  readonly press: Press;
  readonly proof: 'not asked' | 'asked' | 'signed';
}

export interface Showing {
  readonly checkRuns: readonly CheckRunRef[];
  readonly reported: Reported;
  /** The write to the forge that is under way. */
  readonly writing: Writing | undefined;
  /** The write that is under way may be overwritten, so it is repeated. */
  readonly isToShowAgain: boolean;
  readonly notice: ShownNotice | undefined;
  /** Since when the check run has been out of date, in epoch milliseconds. */
  readonly differsSince: number | undefined;
  /** After an hour in which the forge took nothing, in epoch milliseconds. */
  readonly pausedUntil: number;
  readonly hoursUnshown: number;
  /** Whether the forge did not take the last state before it was over. */
  readonly isForgeBehind: boolean;
}

export interface Writing {
  readonly presentation: Presentation;
  /** The effect that writes. That of the end is never stopped. */
  readonly by: 'show' | 'end';
  readonly isStopped: boolean;
}

/** The facts for the audit trail. */
export interface Trail {
  /** Events that go with the next effect that writes some. */
  readonly audits: readonly AuditEvent[];
  readonly refusals: readonly RefusedReview[];
  readonly unapplied: readonly Unapplied[];
  /** How many refusals and applies that never began are being written. */
  readonly underWay: number;
}

/** Whether nothing is applied, whatever the plan says. */
export function isPreview({ input }: Pick<DeploymentActor, 'input'>): boolean {
  return input.deployment.trigger === 'preview';
}

/** Why a deployment was cancelled. */
export function whyCancelled(actor: DeploymentActor): string {
  const { cancellation } = actor;
  if (isPreview(actor)) return 'A newer plan is being made, or the pull request was closed';
  return cancellation === undefined ? 'Cancelled in Temporal' : `Cancelled by @${cancellation.body.by}`;
}

export function closeJob(job: Job, now: number): Job {
  return { ...job, endedAt: isoOf(now) };
}

export function isoOf(now: number): string {
  return new Date(now).toISOString();
}
