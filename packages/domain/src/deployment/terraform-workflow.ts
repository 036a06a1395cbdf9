import type { Repository } from '../root/repository.ts';
import type { LeftState } from '../plan/other-state.ts';
import type { Signed } from '../signed.ts';
import type { SealedReadToken } from './job/sealed-read-token.ts';
import type { Deployment } from './model.ts';
import type { Unlock } from './lock.ts';
import type { ShownNotice } from './notice.ts';
import type { CheckRunRef, Reported } from './check-run.ts';
import type { Progress } from './progress.ts';

/** The start input of the terraform workflow; its id is the deployment's. */
export interface TerraformInput {
  readonly repository: Repository;
  /** The deployment as its lane knows it, check runs included. */
  readonly deployment: Deployment;
  /** The state of the check run, as the lane knows it. */
  readonly reported: Reported;
  /** Every plan with changes needs a review, whatever the root says. */
  readonly reviewRequired: boolean;
  /** What the latest deployment of the root left. Nobody signs it: whoever reaches Temporal may leave it out. */
  readonly state?: LeftState;
  /** For hosts without the key of the App. One that cannot use it any more asks for another. */
  readonly readToken?: Signed<SealedReadToken>;
  readonly durations?: Partial<TerraformDurations>;
}

/** Milliseconds. Passed in so that tests run in milliseconds and a root can have its own. */
export interface TerraformDurations {
  /** One attempt to claim a host for an apply. */
  readonly claimMs: number;
  /** A wait for a slot to apply is shown when it lasts longer than this. */
  readonly claimShownAfterMs: number;
  /** The first interval at which control is asked why no host takes a job, or which one plans; it grows. */
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
  /** How long failures outside of Terraform (git, the forge, storage, hosts) are retried before the workflow gives up. */
  readonly patienceMs: number;
  /** The first pause between such retries; it doubles up to half a minute. */
  readonly pauseMs: number;
  readonly applyMs: number;
  /** How long to wait for the worker of a silent host whose apply may still run. */
  readonly comeBackMs: number;
  readonly reviewMs: number;
  /** How long the records of an ended deployment wait for the forge to show the end. */
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

/**
 * Signal `show-again`, to a terraform workflow: it writes its check run again, because the lane does not know the content of
 * the check run, or knows more about the deployment.
 */
export interface ShowAgain {
  readonly version: 1;
  /** Who lifted the lock that the deployment has set. */
  readonly unlocked?: Signed<Unlock>;
  /** The lane does not hear when the workflow closes. */
  readonly tellsEnd?: boolean;
}

/** A closed gate at which the deployment waits may be open: it asks control. */
export interface AskAgain {
  readonly version: 1;
}
