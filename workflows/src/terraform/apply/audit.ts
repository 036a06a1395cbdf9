import {
  pressAuditEvent,
  reviewButton,
  type Deployment,
  type PlanReview,
  type PressAuditEvent,
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
): PressAuditEvent {
  const press = {
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
  return pressAuditEvent(press, verdict.kind === 'refused' ? verdict.sentence : undefined);
}
