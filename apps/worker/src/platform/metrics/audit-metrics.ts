import type { Audit } from '@nereid/audit';
import { Counter, type Registry } from 'prom-client';

/** Returns a function that wraps an audit trail, so that each attempt to store an event in it is counted. */
export function measureAudit(registry: Registry): (audit: Audit) => Audit {
  const events = new Counter({
    name: 'nereid_audit_events_total',
    help: 'Attempts to store an event of the audit trail, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with it.
  for (const outcome of ['stored', 'failed']) events.inc({ outcome }, 0);
  return (audit) => ({
    async record(event) {
      try {
        await audit.record(event);
        events.inc({ outcome: 'stored' });
      } catch (error) {
        events.inc({ outcome: 'failed' });
        throw error;
      }
    },
    close: () => {
      audit.close();
    },
  });
}
