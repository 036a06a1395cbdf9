import type { Trigger } from './deployment.ts';

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
