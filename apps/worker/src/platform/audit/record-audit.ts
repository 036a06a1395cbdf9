import type { Audit } from '@nereid/audit';
import type { TrailEvent } from '@nereid/domain/trail';
import type { Logger } from 'pino';

export interface Trail {
  /** Undefined on a host alone. */
  readonly audit: Pick<Audit, 'record'> | undefined;
  /** When true, nothing is applied before its `RUNNING` event is stored. */
  readonly auditRequired: boolean;
  readonly logger: Pick<Logger, 'error'>;
}

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
