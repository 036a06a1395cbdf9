import { defined } from '../defined.ts';
import type { Deployment } from '../deployment/model.ts';
import { hasEnded, type EndedStatus } from '../deployment/status.ts';
import { confirmingRules } from '../gates/needs-review.ts';
import type { Job } from '../host/job.ts';
import { fullName, type Repository } from '../root/repository.ts';
import type { JobAuditEvent } from './audit-event.ts';

/** Returns the event for this state of an apply job. */
export function auditEvent(
  repository: Repository,
  deployment: Deployment,
  job: Job,
  state: JobAuditEvent['state'],
): JobAuditEvent {
  const { review, plan } = deployment.progress;
  const rules = confirmingRules(deployment);
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
    ...defined({ initiatingUserId: deployment.requestedById }),
    ...(review?.answer === 'approved' && {
      approvedBy: review.by,
      ...defined({ approvedById: review.byId }),
      approvedAt: review.press?.body.at ?? review.at,
      ...(plan?.beforeMerge && { approvedBeforeMerge: true }),
    }),
    ...(rules.length > 0 && { approvedByRules: rules.map(({ of: rule, digest }) => ({ rule, digest })) }),
    ...(plan !== undefined && { planDigest: plan.made.body.digest }),
    startedAt: job.startedAt,
    ...defined({ endedAt: job.endedAt, pullRequest: deployment.pullRequest }),
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
