import {
  pressAuditEvent,
  type EndedStatus,
  type JobAuditEvent,
  type PlanReview,
  type PressAuditEvent,
  type TerraformInput,
} from '@nereid/contracts';
import type { ReviewVerdict } from './gate.ts';

/** The last event of an apply job whose deployment ended like this. */
export function auditStateOf(status: EndedStatus): JobAuditEvent['state'] {
  if (status === 'succeeded' || status === 'no-changes') return 'SUCCESS';
  return status === 'apply-outcome-unknown' ? 'UNKNOWN' : 'FAILURE';
}

/** The event that says what came of a press of Confirm or Reject, which nobody but the gate knows. */
export function reviewEvent(
  input: TerraformInput,
  message: PlanReview,
  verdict: ReviewVerdict,
  at: string,
): PressAuditEvent {
  const press = {
    requestId: message.requestId,
    action: message.answer === 'rejected' ? 'reject' : 'confirm',
    repository: input.repository,
    rootName: input.root.name,
    revision: input.revision.sha,
    deploymentId: input.deploymentId,
    ...(input.pullRequest !== undefined && { pullRequest: input.pullRequest }),
    by: message.by,
    at,
    workflowId: input.deploymentId,
  } as const;
  return pressAuditEvent(press, verdict.kind === 'refused' ? verdict.sentence : undefined);
}
