import {
  auditEvent,
  userActionAuditEvent,
  reviewButton,
  type Deployment,
  type Job,
  type JobAuditEvent,
  type PlanReview,
  type UserActionAuditEvent,
  type Repository,
} from '@nereid/contracts';
import type { ReviewVerdict } from '../gate/gate.ts';
import { deploymentOf, type Run } from '../run.ts';

/** Keeps an event for the next write to the audit trail: that of another apply, or of the end. */
export function audit(run: Run, job: Job, state: JobAuditEvent['state']): void {
  run.audits.push(auditEvent(run.input.repository, deploymentOf(run), job, state));
}

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
