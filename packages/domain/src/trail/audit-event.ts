import type { Trigger } from '../deployment/request.ts';
import type { OperatorRequest } from '../intake/console-request.ts';
import type { Action } from '../actions/actions.ts';

/** One event of the audit trail, as a subscriber receives it. */
export type TrailEvent =
  AuditEvent | OperatorActionAuditEvent | ForceUnlockAuditEvent | ForgedAuditEvent | ErasureAuditEvent;

/** Of deployments, and of the requests of people. */
export type AuditEvent = JobAuditEvent | UserActionAuditEvent;

/** A state of an apply job. */
export interface JobAuditEvent {
  readonly version: 1;
  /** `<job id>:<state>`; also the deduplication id of FIFO topics. */
  readonly id: string;
  readonly state: 'RUNNING' | 'SUCCESS' | 'FAILURE' | 'UNKNOWN';
  readonly jobId: string;
  readonly jobType: 'apply';
  readonly deploymentId: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly rootName: string;
  readonly revision: string;
  readonly isForceApply: boolean;
  readonly trigger: Trigger;
  readonly rerun: boolean;
  readonly initiatingUser: string;
  /** The forge's ids of people stand beside their logins, where it gave them. */
  readonly initiatingUserId?: number;
  readonly approvedBy?: string;
  readonly approvedById?: number;
  /** ISO 8601, like all times here. */
  readonly approvedAt?: string;
  /** The plan was approved on the pull request, before its merge. */
  readonly approvedBeforeMerge?: true;
  /** The rules of the server's file that confirmed the plan; absent where a person did, or where nobody had to. */
  readonly approvedByRules?: readonly { readonly rule: string; readonly digest: string }[];
  /** SHA-256 of the plan that is applied, 64 hex digits; its buttons on the forge have the first 12 of them. */
  readonly planDigest?: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly pullRequest?: number;
  readonly workflowId: string;
}

/** The outcome of a `force-unlock`, after its request was `REVIEWED`. */
export interface ForceUnlockAuditEvent {
  readonly version: 1;
  /** `<UUID of the request>:<state>`. */
  readonly id: string;
  /** `UNKNOWN`: no host reported an outcome. */
  readonly state: 'SUCCESS' | 'FAILURE' | 'UNKNOWN';
  readonly action: 'force_unlock';
  /** `owner/name`. */
  readonly repository: string;
  readonly rootName: string;
  readonly revision: string;
  readonly lockId: string;
  readonly initiatingUser: string;
  readonly initiatingUserId?: number;
  readonly pullRequest?: number;
  /** What Terraform said, in a line. */
  readonly sentence?: string;
  readonly workflowId: string;
}

/** Somebody who reaches Temporal posed as another one, in vain. In the trail beside the others. */
export interface ForgedAuditEvent {
  readonly version: 1;
  /** `<UUID>:FORGED`. */
  readonly id: string;
  readonly state: 'FORGED';
  /** What was forged, like `order/deploy` or `decision/review`. */
  readonly forged: string;
  /** What was expected and found. */
  readonly sentence: string;
  /** The id of the deployment, delivery or job that it named: hostile, at most 100 characters. */
  readonly about: string;
  /** ISO 8601. */
  readonly at: string;
}

/** An operator had a person forgotten in what is stored. Names that person by the pseudonym alone. */
export interface ErasureAuditEvent {
  readonly version: 1;
  /** `<UUID>:ERASED`. */
  readonly id: string;
  readonly state: 'ERASED';
  readonly initiatingUser: string;
  /** Stands for the login from then on. */
  readonly pseudonym: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A person's request on the forge or in the console, and the answer to it. `REVIEWED` means accepted. */
export type UserActionAuditEvent = UserActionFacts & ActionAnswer;

/**
 * A person's request for something that belongs to no repository, such as a host, and the answer to it. The `reason` of one for a pool
 * is hostile.
 */
export type OperatorActionAuditEvent = OperatorRequest & OperatorActionFacts & ActionAnswer;

export type ActionAnswer =
  | { readonly state: 'REVIEWED' }
  /** `sentence` is the answer that the person was given. */
  | { readonly state: 'REFUSED'; readonly sentence: string };

interface OperatorActionFacts {
  readonly version: 1;
  /** `<request>:<state>`. Also the deduplication id of FIFO topics. */
  readonly id: string;
  readonly initiatingUser: string;
  readonly initiatingUserId?: number;
  readonly pressedAt: string;
  /** The workflow that judged the action. */
  readonly workflowId: string;
}

interface UserActionFacts {
  readonly version: 1;
  /**
   * `<delivery>:<root>:<state>`, for a cancelled deployment `<delivery>:<deployment>:<state>`, without a root
   * `<delivery>:<state>`. Also the deduplication id of FIFO topics.
   */
  readonly id: string;
  readonly action: Action;
  /** `owner/name`. */
  readonly repository: string;
  /** Absent when the action is about no root in particular, or was refused before its roots were known. */
  readonly rootName?: string;
  readonly revision?: string;
  /** The deployment on whose check run a button was pressed, or that is cancelled. */
  readonly deploymentId?: string;
  readonly initiatingUser: string;
  readonly initiatingUserId?: number;
  readonly pressedAt: string;
  readonly pullRequest?: number;
  /** Of a `force_unlock`: the lock of the state that was named. */
  readonly lockId?: string;
  /** Of a `stop` that was accepted: the person's words, hostile, at most 200 characters. */
  readonly reason?: string;
  /** The action is about the plan of a pull request that is not merged yet. */
  readonly beforeMerge?: true;
  /** The digest of the equal plan that the person saw: the answer was carried over from it. */
  readonly carriedFrom?: string;
  /** The names of the policies that were overridden. */
  readonly policies?: readonly string[];
  /** The workflow that judged the action. */
  readonly workflowId: string;
}

/** Whether the event is about an apply job, and not about a person's action. */
export function isJobAuditEvent(event: AuditEvent): event is JobAuditEvent {
  return 'jobId' in event;
}
