/** Where a deployment is. Every wait has its reason and its bound here. */
import type { ApplyJob, Go } from '../deployment/job/host-job.ts';
import type { AtWork } from '../host/claim.ts';
import type { Job } from '../host/job.ts';
import type { Progress } from '../deployment/progress.ts';
import type { Plan } from '../plan/model.ts';
import type { Signed } from '../signed.ts';
import type { AuditEvent } from '../trail/audit-event.ts';

export type Step =
  /** Has to be entered: `decide` does that at once. */
  | { readonly kind: 'to'; readonly place: Place }
  /** Control says whether the review from before the merge holds. */
  | { readonly kind: 'find-reviewed' }
  | ClaimStep
  | PlanStep
  | VerifyPlanStep
  /** Control says whether the answers to an equal plan count for this one. */
  | { readonly kind: 'carry-review'; readonly plan: Plan }
  /** A person is asked, until this time, in epoch milliseconds. */
  | { readonly kind: 'review'; readonly plan: Plan; readonly until: number }
  | PermissionStep
  /** A gate is closed. Control is asked again at this time, in epoch milliseconds. */
  | { readonly kind: 'gate'; readonly plan: Plan; readonly askAt: number }
  /** There was no permission at once. Only a signed approval is worth asking patiently. */
  | { readonly kind: 'verify-approval'; readonly applying: Applying; readonly audits: readonly AuditEvent[] }
  /** Whether the host that planned is there yet. */
  | { readonly kind: 'find-host'; readonly applying: Applying; readonly permission: Permission }
  | {
      readonly kind: 'apply';
      readonly applying: Applying;
      readonly permission: Permission;
      /** How long the host has to begin, in milliseconds. */
      readonly beginMs: number;
    }
  | InspectStep
  /** Something failed, and is tried again at this time, in epoch milliseconds. */
  | { readonly kind: 'pause'; readonly until: number; readonly next: ClaimStep | PlanStep | InspectStep }
  | EndStep;

/** Where a deployment goes on. */
export type Place =
  | { readonly kind: 'reviewed before' }
  /** `why` says why an earlier plan could not be used. */
  | { readonly kind: 'plan'; readonly why?: string }
  | { readonly kind: 'review'; readonly plan: Plan }
  | { readonly kind: 'permission'; readonly plan: Plan }
  | {
      readonly kind: 'apply';
      readonly applying: Applying;
      readonly permission: Permission;
      /** Another host than the one that planned. */
      readonly isElsewhere: boolean;
    }
  /** The worker of the apply was lost; `lost` says how. */
  | { readonly kind: 'inspection'; readonly applying: Applying; readonly job: ApplyJob; readonly lost: string }
  | { readonly kind: 'end' };

/** The first host that has a free slot plans. The wait for it is like the wait for a claim. */
export interface PlanStep {
  readonly kind: 'plan';
  readonly jobId: string;
  /** Present once hosts are asked. */
  readonly wait?: ClaimWait;
  /** The host that is said to plan. Known only when somebody asked, so not for a plan that was made soon. Nothing proves it. */
  readonly host?: AtWork;
}

/**
 * Before a person is asked: a plan that no host signed is never shown. Who writes the question to the forge verifies the plan, so the
 * write proves it. If that has not answered within some seconds, control is asked for the proof alone.
 */
export interface VerifyPlanStep {
  readonly kind: 'verify-plan';
  readonly plan: Plan;
  /** The question, as it is written. Nobody else is told of it before the plan is proven. */
  readonly question: Progress;
  /** In epoch milliseconds. */
  readonly askedAt: number;
  /** When control is asked for the proof alone, in epoch milliseconds. */
  readonly verifyAt: number;
  /** Something of the question is said not to be signed, so it is not written again before the plan is proven. */
  readonly isRefused: boolean;
}

/** Waits for a slot on a host, for as long as it takes. A wait that lasts is shown, less and less often. */
export interface ClaimStep {
  readonly kind: 'claim';
  readonly for:
    /** The plan was reviewed before the merge. */
    | { readonly kind: 'reviewed'; readonly plan: Plan }
    /** A job has permission already, and did not begin on its host. */
    | { readonly kind: 'another host'; readonly applying: Applying };
  /** Present once a host is asked. */
  readonly wait?: ClaimWait;
}

/** Times are in epoch milliseconds. */
export interface ClaimWait {
  readonly since: number;
  /** When the reason is asked for next. */
  readonly explainAt: number;
  readonly pauseMs: number;
  readonly isAsking: boolean;
}

/** The apply of a plan, in one job. */
export interface Applying {
  readonly plan: Plan;
  readonly job: Job;
}

/** For one host. */
export interface Permission {
  readonly hostId: string;
  readonly go: Signed<Go>;
}

/**
 * - `at once`: one attempt, which verifies the approval as well
 * - `patiently`: nothing is applied that the audit trail does not know of
 * - `reviewed`: without permission, it is planned, and a person is asked
 * - `elsewhere`: for another host, in the same job
 */
export interface PermissionStep {
  readonly kind: 'permission';
  readonly asks: 'at once' | 'patiently' | 'reviewed' | 'elsewhere';
  readonly applying: Applying;
  /** Events that are true once permission is given. */
  readonly audits: readonly AuditEvent[];
  /** An earlier request for the same job may have told the audit trail of its start. */
  readonly isSecond?: true;
  /** Somebody said meanwhile that the gate may be open, so a closed one is asked again at once. */
  readonly isRung?: true;
}

/** The worker of an apply was lost. Its host is asked what became of it, until this time, in epoch milliseconds. */
export interface InspectStep {
  readonly kind: 'inspect';
  readonly applying: Applying;
  readonly job: ApplyJob;
  readonly until: number;
  /** A cancellation came before the worker was lost: the true outcome is waited for all the same. */
  readonly isKept: boolean;
  readonly asks: 'outcome' | 'host';
}

/**
 * The end is told, then recorded. If the forge does not show it yet, the record waits for that until `recordAt`, in epoch
 * milliseconds.
 */
export interface EndStep {
  readonly kind: 'end';
  readonly stage: 'tell' | 'record' | 'done';
  readonly audits: readonly AuditEvent[];
  readonly recordAt: number;
  /** Hosts that are to remove what they have. */
  readonly toClean: readonly string[];
  /** How many are at it. */
  readonly cleaning: number;
}
