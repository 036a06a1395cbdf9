import {
  userActionAuditEvent,
  reviewButton,
  type Deployment,
  type PlanReview,
  type UserActionAuditEvent,
  type Repository,
} from '@nereid/contracts';
import type { ReviewVerdict } from '../gate/gate.ts';

/** Returns the event for a press of Confirm or Reject. Only the gate knows the verdict. */
export function reviewEvent(
  repository: Repository,
  { id, root, revision, pullRequest }: Deployment,
  message: PlanReview,
  verdict: ReviewVerdict,
  at: string,
): UserActionAuditEvent {
  const action = {
    requestId: message.requestId,
    action: reviewButton(message.answer).kind,
    repository,
    rootName: root.name,
    revision: revision.sha,
    deploymentId: id,
    ...(pullRequest !== undefined && { pullRequest }),
    by: message.by,
    at,
    workflowId: id,
  } as const;
  return userActionAuditEvent(action, verdict.kind === 'refused' ? verdict.sentence : undefined);
}
