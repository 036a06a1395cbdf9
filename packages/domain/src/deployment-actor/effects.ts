/** The effects of a deployment, and what each is answered. */
import type { ApplyOutcome } from '../deployment/job/apply-outcome.ts';
import type { ApplyJob, Go, HostJob } from '../deployment/job/host-job.ts';
import type { PlannedOnHost } from '../deployment/job/plan-outcome.ts';
import type { Presentation, Taken } from '../deployment/presentation.ts';
import type { ReturnedEnd } from '../lane/activities.ts';
import type { Claim, WaitExplained } from '../host/claim.ts';
import type { CarriedReview, ConfirmedPlan } from '../plan/carried-review.ts';
import type { ReviewedPlan } from '../plan/merge-review.ts';
import type { Plan } from '../plan/model.ts';
import type { PlanReview } from '../plan/review.ts';
import type { Signed } from '../signed.ts';
import type { Beginning, Ended, Ending, Finish, RefusedReview, Unapplied } from './activities.ts';
import type { Press } from './press.ts';

/** Effects that are answered. */
export type Asking =
  /** Work: one at a time, that of the step. */
  | { readonly kind: 'find-reviewed' }
  /** Of a slot to apply. */
  | { readonly kind: 'claim' }
  /** On the first host that has a free slot. */
  | { readonly kind: 'plan'; readonly plans: 'deployment' | 'preview'; readonly job: HostJob }
  | { readonly kind: 'verify-plan'; readonly plan: Plan }
  | { readonly kind: 'carry-review'; readonly plan: Plan; readonly confirmed: ConfirmedPlan }
  | { readonly kind: 'begin'; readonly beginning: Beginning; readonly isOneAttempt: boolean }
  | { readonly kind: 'verify-approval'; readonly approval: Signed<PlanReview> }
  /** Where nobody knows, a host about which was asked patiently counts as gone, and any other as there. */
  | { readonly kind: 'find-host'; readonly hostId: string; readonly isPatient: boolean }
  | { readonly kind: 'apply'; readonly beginMs: number; readonly job: ApplyJob }
  | { readonly kind: 'inspect'; readonly job: ApplyJob }
  /** Beside the work: why no host takes the waiting job, or which host plans. */
  | { readonly kind: 'explain-wait' }
  | { readonly kind: 'show'; readonly presentation: Presentation }
  | { readonly kind: 'verify-press'; readonly press: Press }
  | { readonly kind: 'record-refusal'; readonly refusal: RefusedReview }
  | { readonly kind: 'record-unapplied'; readonly unapplied: Unapplied }
  /** After the work. */
  | { readonly kind: 'end'; readonly ending: Ending }
  | { readonly kind: 'record-end'; readonly finish: Finish }
  | { readonly kind: 'clean-up'; readonly hostId: string };

export interface Answers {
  readonly 'find-reviewed': ReviewedPlan;
  readonly claim: Signed<Claim>;
  readonly plan: PlannedOnHost;
  readonly 'verify-plan': 'verified';
  readonly 'carry-review': CarriedReview;
  readonly begin: Signed<Go>;
  readonly 'verify-approval': 'verified';
  /** Whether the host is there. */
  readonly 'find-host': boolean;
  readonly apply: ApplyOutcome;
  readonly inspect: ApplyOutcome;
  readonly 'explain-wait': WaitExplained;
  readonly show: Taken;
  readonly 'verify-press': 'verified';
  readonly 'record-refusal': 'done';
  readonly 'record-unapplied': 'done';
  readonly end: Ended;
  readonly 'record-end': 'done';
  readonly 'clean-up': 'done';
}

export type AskingOf<Kind extends Asking['kind']> = Extract<Asking, { readonly kind: Kind }>;

export type Effect =
  | Asking
  /** Asks for the end of what is under way. It ends as anything else does. */
  | { readonly kind: 'stop'; readonly what: 'work' | 'show' }
  /** The workflow is over. */
  | { readonly kind: 'finish'; readonly result: ReturnedEnd };

/** In epoch milliseconds; `why` says for what, when there is such a time. */
export type DeploymentEffect = Effect | { readonly kind: 'wait'; readonly until: number; readonly why: string };
