import type { Job } from '@nereid/domain/host';
import { auditEvent, type JobAuditEvent } from '@nereid/domain/trail';
import { recordUnapplied } from '../activities.ts';
import { deploymentOf, inBackground, type Run } from '../run.ts';

/** Keeps an event for the next write to the audit trail: that of another apply, or of the end. */
export function audit(run: Run, job: Job, state: JobAuditEvent['state']): void {
  run.audits.push(auditEvent(run.input.repository, deploymentOf(run), job, state));
}

/**
 * Writes what waits for the next write, where that may be days away: a person is asked again. Called while the deployment still
 * has the plan and the review that the events are about.
 */
export function writeAudits(run: Run): void {
  if (run.audits.length === 0) return;
  const { repository } = run.input;
  const unapplied = { repository, deployment: deploymentOf(run), audits: run.audits.splice(0) };
  inBackground(run, 'the audit of an apply that never began', () => recordUnapplied(unapplied));
}
