import type { Job, Progress, Trigger } from './deployment.ts';
import { fullName } from './repository.ts';
import type { TerraformInput } from './terraform.ts';

/** One event of the audit trail, as a subscriber receives it. */
export interface AuditEvent {
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
  readonly approvedBy?: string;
  /** ISO 8601, like all times here. */
  readonly approvedAt?: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly pullRequest?: number;
  readonly workflowId: string;
}

export type AuditedDeployment = Pick<
  TerraformInput,
  'deploymentId' | 'repository' | 'root' | 'revision' | 'trigger' | 'rerun' | 'force' | 'requestedBy' | 'pullRequest'
>;

/** The event that says what became of an apply job. */
export function auditEvent(
  deployment: AuditedDeployment,
  { review }: Progress,
  job: Job,
  state: AuditEvent['state'],
): AuditEvent {
  return {
    version: 1,
    id: `${job.id}:${state}`,
    state,
    jobId: job.id,
    jobType: 'apply',
    deploymentId: deployment.deploymentId,
    repository: fullName(deployment.repository),
    rootName: deployment.root.name,
    revision: deployment.revision.sha,
    isForceApply: deployment.force,
    trigger: deployment.trigger,
    rerun: deployment.rerun,
    initiatingUser: deployment.requestedBy,
    ...(review?.answer === 'approved' && { approvedBy: review.by, approvedAt: review.at }),
    startedAt: job.startedAt,
    ...(job.endedAt !== undefined && { endedAt: job.endedAt }),
    ...(deployment.pullRequest !== undefined && { pullRequest: deployment.pullRequest }),
    workflowId: deployment.deploymentId,
  };
}
