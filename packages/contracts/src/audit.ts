import { hasEnded, type Deployment, type EndedStatus, type Job, type Trigger } from './deployment.ts';
import type { Action, HostAction } from './actions/actions.ts';
import { reviewAction } from './check-run.ts';
import { intakeWorkflowId } from './ids.ts';
import type { HostUserAction, ReceivedEvent, RootAction, UserAction } from './intake/intake.ts';
import { fullName, type Repository } from './repository.ts';
import type { PolicyOverride } from './policy.ts';
import type { PlanReview } from './terraform.ts';

/** One event of the audit trail, as a subscriber receives it. */
export type TrailEvent = AuditEvent | HostActionAuditEvent | ForceUnlockAuditEvent | ForgedAuditEvent;

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
  /** GitHub's ids of people stand beside their logins, where GitHub told them. */
  readonly initiatingUserId?: number;
  readonly approvedBy?: string;
  readonly approvedById?: number;
  /** ISO 8601, like all times here. */
  readonly approvedAt?: string;
  /** The plan was approved on the pull request, before its merge. */
  readonly approvedBeforeMerge?: true;
  /** SHA-256 of the plan that is applied, 64 hex digits; its buttons on GitHub have the first 12 of them. */
  readonly planDigest?: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly pullRequest?: number;
  readonly workflowId: string;
}

/** What came of a `force-unlock`, after its request was `REVIEWED`. */
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
  /** What was forged, like `order` or `review`. */
  readonly forged: string;
  /** What was expected and found. */
  readonly sentence: string;
  /** The id of the deployment, delivery or job that it named: hostile, at most 100 characters. */
  readonly about: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A person's request on GitHub or in the console, and the answer to it. `REVIEWED` means accepted. */
export type UserActionAuditEvent = UserActionFacts & ActionAnswer;

/** A person's request for a host, which belongs to no repository, and the answer to it. */
export type HostActionAuditEvent = HostActionFacts & ActionAnswer;

type ActionAnswer =
  | { readonly state: 'REVIEWED' }
  /** `sentence` is the answer that the person was given. */
  | { readonly state: 'REFUSED'; readonly sentence: string };

interface HostActionFacts {
  readonly version: 1;
  readonly action: HostAction;
  readonly hostId: string;
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
  /** The action is about the plan of a pull request that is not merged yet. */
  readonly beforeMerge?: true;
  /** The names of the policies that were overridden. */
  readonly policies?: readonly string[];
  /** The workflow that judged the action. */
  readonly workflowId: string;
}

/** Whether the event is about an apply job, and not about a person's action. */
export function isJobAuditEvent(event: AuditEvent): event is JobAuditEvent {
  return 'jobId' in event;
}

/** Returns the event for this state of an apply job. */
export function auditEvent(
  repository: Repository,
  deployment: Deployment,
  job: Job,
  state: JobAuditEvent['state'],
): JobAuditEvent {
  const { review, plan } = deployment.progress;
  return {
    version: 1,
    id: `${job.id}:${state}`,
    state,
    jobId: job.id,
    jobType: 'apply',
    deploymentId: deployment.id,
    repository: fullName(repository),
    rootName: deployment.root.name,
    revision: deployment.revision.sha,
    isForceApply: deployment.force,
    trigger: deployment.trigger,
    rerun: deployment.rerun,
    initiatingUser: deployment.requestedBy,
    ...(deployment.requestedById !== undefined && { initiatingUserId: deployment.requestedById }),
    ...(review?.answer === 'approved' && {
      approvedBy: review.by,
      ...(review.byId !== undefined && { approvedById: review.byId }),
      approvedAt: review.press?.at ?? review.at,
      ...(plan?.beforeMerge && { approvedBeforeMerge: true }),
    }),
    ...(plan !== undefined && { planDigest: plan.digest }),
    startedAt: job.startedAt,
    ...(job.endedAt !== undefined && { endedAt: job.endedAt }),
    ...(deployment.pullRequest !== undefined && { pullRequest: deployment.pullRequest }),
    workflowId: deployment.id,
  };
}

/** Returns the final state of an apply job whose deployment ended with this status. */
export function auditStateOf(status: EndedStatus): JobAuditEvent['state'] {
  if (status === 'succeeded' || status === 'no-changes') return 'SUCCESS';
  return status === 'apply-outcome-unknown' ? 'UNKNOWN' : 'FAILURE';
}

/** Returns the final event of a deployment's apply; undefined when the deployment had no apply, or has not ended. */
export function auditEventOfEnd(repository: Repository, deployment: Deployment): JobAuditEvent | undefined {
  const { status, jobs } = deployment.progress;
  if (jobs.apply === undefined || !hasEnded(status)) return undefined;
  return auditEvent(repository, deployment, jobs.apply, auditStateOf(status));
}

export interface AuditedUserAction extends Pick<
  UserActionFacts,
  'action' | 'rootName' | 'revision' | 'deploymentId' | 'pullRequest' | 'lockId' | 'beforeMerge' | 'policies'
> {
  /** The event's id without its state. */
  readonly requestId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** GitHub login. */
  readonly by: string;
  readonly byId?: number;
  /** ISO 8601. */
  readonly at: string;
  readonly workflowId: string;
}

/** Returns the event for an action. `refusal` is the sentence that the person was told; undefined when it was accepted. */
export function userActionAuditEvent(action: AuditedUserAction, refusal: string | undefined): UserActionAuditEvent {
  const { requestId, repository, by, byId, at, ...facts } = action;
  const answer = answerOf(refusal);
  const who = { initiatingUser: by, ...(byId !== undefined && { initiatingUserId: byId }) };
  const about = { ...facts, repository: fullName(repository), ...who, pressedAt: at };
  return { version: 1, id: `${requestId}:${answer.state}`, ...about, ...answer };
}

function answerOf(refusal: string | undefined): ActionAnswer {
  return refusal === undefined ? { state: 'REVIEWED' } : { state: 'REFUSED', sentence: refusal };
}

/** Returns the event for a press of Confirm, Reject or Override. `refusal` is the sentence that the person was told. */
export function reviewAuditEvent(
  repository: Repository,
  { id, root, revision, pullRequest }: Deployment,
  press: PlanReview | PolicyOverride,
  refusal?: string,
): UserActionAuditEvent {
  const { requestId, by, byId, at } = press;
  const action = {
    requestId,
    ...('answer' in press
      ? { action: reviewAction(press.answer) }
      : { action: 'override' as const, policies: press.policies }),
    repository,
    rootName: root.name,
    revision: revision.sha,
    deploymentId: id,
    ...(pullRequest !== undefined && { pullRequest }),
    by,
    ...(byId !== undefined && { byId }),
    at,
    workflowId: id,
  } as const;
  return userActionAuditEvent(action, refusal);
}

/**
 * Returns the events for the requests of one delivery: one for each root, or for each cancelled deployment, of which a root may
 * have several. The same delivery has the same ids, however often it is judged.
 */
export function userActionAuditEvents(
  received: Judged,
  userActions: readonly UserAction[],
): readonly (UserActionAuditEvent | HostActionAuditEvent)[] {
  return userActions.flatMap<UserActionAuditEvent | HostActionAuditEvent>((action) =>
    'hostId' in action ? [hostActionAuditEvent(received, action)] : rootActionAuditEvents(received, action),
  );
}

type Judged = Pick<ReceivedEvent, 'delivery' | 'receivedAt' | 'event'>;

function rootActionAuditEvents(
  { delivery, receivedAt, event }: Judged,
  { rootNames, refusal, signature: _proof, ...facts }: RootAction,
): readonly UserActionAuditEvent[] {
  if (event.kind === 'host-request') return [];
  const about = {
    ...facts,
    repository: event.repository,
    by: event.sender,
    ...(event.senderId !== undefined && { byId: event.senderId }),
    at: receivedAt,
    workflowId: intakeWorkflowId({ delivery, event }),
  };
  const cancelled = facts.action === 'cancel' ? facts.deploymentId : undefined;
  if (rootNames.length === 0) return [userActionAuditEvent({ ...about, requestId: delivery }, refusal)];
  return rootNames.map((rootName) =>
    userActionAuditEvent({ ...about, requestId: `${delivery}:${cancelled ?? rootName}`, rootName }, refusal),
  );
}

function hostActionAuditEvent(
  { delivery, receivedAt, event }: Judged,
  { action, hostId, refusal }: HostUserAction,
): HostActionAuditEvent {
  const answer = answerOf(refusal);
  return {
    version: 1,
    id: `${delivery}:${answer.state}`,
    action,
    hostId,
    initiatingUser: event.sender,
    ...(event.senderId !== undefined && { initiatingUserId: event.senderId }),
    pressedAt: receivedAt,
    workflowId: intakeWorkflowId({ delivery, event }),
    ...answer,
  };
}
