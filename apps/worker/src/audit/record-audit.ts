import type { TrailEvent } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';

type Trail = Pick<WorkerContext, 'audit' | 'auditRequired' | 'logger'>;

/** Stores events in order. A failure is thrown when audit is required, and only logged otherwise. */
export async function recordAudits(context: Trail, events: readonly TrailEvent[]): Promise<void> {
  for (const event of events) await recordAudit(context, event);
}

async function recordAudit({ audit, auditRequired, logger }: Trail, event: TrailEvent): Promise<void> {
  try {
    await audit?.record(event);
  } catch (error) {
    if (auditRequired) throw error;
    logger.error({ err: error, event: event.id }, 'an audit event could not be stored');
  }
}
