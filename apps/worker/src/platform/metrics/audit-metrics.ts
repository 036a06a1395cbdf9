import type { OpenedSink } from '@nereid/audit';
import { Counter, type Registry } from 'prom-client';

/** Returns a function that wraps a place of the audit trail, so that each attempt to store an event there is counted. */
export function measureAudit(registry: Registry): (place: OpenedSink) => OpenedSink {
  const events = new Counter({
    name: 'nereid_audit_events_total',
    help: 'Attempts to store an event of the audit trail, by place and outcome.',
    labelNames: ['place', 'outcome'],
    registers: [registry],
  });
  return ({ name: place, audit }) => {
    // Prometheus sees no increase in a series that begins with it.
    for (const outcome of ['stored', 'failed']) events.inc({ place, outcome }, 0);
    return {
      name: place,
      audit: {
        async record(event) {
          try {
            await audit.record(event);
            events.inc({ place, outcome: 'stored' });
          } catch (error) {
            events.inc({ place, outcome: 'failed' });
            throw error;
          }
        },
        close: () => {
          audit.close();
        },
      },
    };
  };
}
