import type { AuditEvent } from '@nereid/contracts';
import type { WorkerContext } from './context.ts';

/** Stores an event; throws where that fails and audit is required, and only says so in the log where it is not. */
export async function recordAudit(context: WorkerContext, event: AuditEvent): Promise<void> {
  try {
    await context.audit?.record(event);
  } catch (error) {
    if (context.auditRequired) throw error;
    context.logger.error({ err: error, event: event.id }, 'an audit event could not be stored');
  }
}
