import { defined } from '../defined.ts';
import { reviewAction } from '../deployment/check-run.ts';
import type { Deployment } from '../deployment/model.ts';
import { intakeWorkflowId } from '../intake/id.ts';
import type { ReceivedEvent } from '../intake/intake.ts';
import type { OperatorUserAction, RootAction, UserAction } from '../intake/user-action.ts';
import type { PlanReview } from '../plan/review.ts';
import type { PolicyOverride } from '../plan/policy.ts';
import { fullName, type Repository } from '../root/repository.ts';
import type { ActionAnswer, OperatorActionAuditEvent, UserActionAuditEvent } from './audit-event.ts';

export interface AuditedUserAction extends Pick<
  UserActionAuditEvent,
  | 'action'
  | 'rootName'
  | 'revision'
  | 'deploymentId'
  | 'pullRequest'
  | 'lockId'
  | 'reason'
  | 'beforeMerge'
  | 'policies'
  | 'carriedFrom'
> {
  /** The event's id without its state. */
  readonly requestId: string;
  readonly repository: Pick<Repository, 'owner' | 'name'>;
  /** Login on the forge. */
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
  const who = { initiatingUser: by, ...defined({ initiatingUserId: byId }) };
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
      ? { action: reviewAction(press.answer), ...defined({ carriedFrom: press.carriedFrom }) }
      : { action: 'override' as const, policies: press.policies }),
    repository,
    rootName: root.name,
    revision: revision.sha,
    deploymentId: id,
    ...defined({ pullRequest }),
    by,
    ...defined({ byId }),
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
): readonly (UserActionAuditEvent | OperatorActionAuditEvent)[] {
  return userActions.flatMap<UserActionAuditEvent | OperatorActionAuditEvent>((action) =>
    'rootNames' in action ? rootActionAuditEvents(received, action) : [operatorActionAuditEvent(received, action)],
  );
}

type Judged = Pick<ReceivedEvent, 'delivery' | 'receivedAt' | 'event'>;

function rootActionAuditEvents(
  { delivery, receivedAt, event }: Judged,
  { rootNames, refusal, ...facts }: RootAction,
): readonly UserActionAuditEvent[] {
  if (event.kind === 'operator-request') return [];
  const about = {
    ...facts,
    repository: event.repository,
    by: event.sender,
    ...defined({ byId: event.senderId }),
    at: receivedAt,
    workflowId: intakeWorkflowId({ delivery, event }),
  };
  const cancelled = facts.action === 'cancel' ? facts.deploymentId : undefined;
  if (rootNames.length === 0) return [userActionAuditEvent({ ...about, requestId: delivery }, refusal)];
  return rootNames.map((rootName) =>
    userActionAuditEvent({ ...about, requestId: `${delivery}:${cancelled ?? rootName}`, rootName }, refusal),
  );
}

function operatorActionAuditEvent(
  { delivery, receivedAt, event }: Judged,
  { refusal, ...request }: OperatorUserAction,
): OperatorActionAuditEvent {
  const answer = answerOf(refusal);
  return {
    version: 1,
    id: `${delivery}:${answer.state}`,
    ...request,
    initiatingUser: event.sender,
    ...defined({ initiatingUserId: event.senderId }),
    pressedAt: receivedAt,
    workflowId: intakeWorkflowId({ delivery, event }),
    ...answer,
  };
}
