import { auditEvent, type Job, type JobAuditEvent } from '@nereid/contracts';
import { deploymentOf, type Run } from '../run.ts';

/** Keeps an event for the next write to the audit trail: that of another apply, or of the end. */
export function audit(run: Run, job: Job, state: JobAuditEvent['state']): void {
  run.audits.push(auditEvent(run.input.repository, deploymentOf(run), job, state));
}
