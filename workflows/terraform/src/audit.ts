import { fullName, type AuditEvent, type EndedStatus, type Progress, type TerraformInput } from '@nereid/contracts';

/** The event that says what became of an apply job. */
export function auditEvent(
  input: TerraformInput,
  progress: Progress,
  job: { readonly id: string; readonly startedAt: string; readonly endedAt?: string },
  state: AuditEvent['state'],
): AuditEvent {
  const approved = progress.review?.answer === 'approved' ? progress.review : undefined;
  return {
    version: 1,
    id: `${job.id}:${state}`,
    state,
    jobId: job.id,
    jobType: 'apply',
    deploymentId: input.deploymentId,
    repository: fullName(input.repository),
    rootName: input.root.name,
    revision: input.revision.sha,
    isForceApply: input.force,
    trigger: input.trigger,
    rerun: input.rerun,
    initiatingUser: input.requestedBy,
    ...(approved && { approvedBy: approved.by, approvedAt: approved.at }),
    startedAt: job.startedAt,
    ...(job.endedAt !== undefined && { endedAt: job.endedAt }),
    ...(input.pullRequest !== undefined && { pullRequest: input.pullRequest }),
    workflowId: input.deploymentId,
  };
}

export function auditStateOf(status: EndedStatus): AuditEvent['state'] {
  if (status === 'succeeded' || status === 'no-changes') return 'SUCCESS';
  return status === 'apply-outcome-unknown' ? 'UNKNOWN' : 'FAILURE';
}
