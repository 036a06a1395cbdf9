import { SWEEP_PARTS } from '@nereid/domain/activities';
import { Counter, type Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

export function measureRetention(registry: Registry): Metrics['onSwept'] {
  const swept = new Counter({
    name: 'nereid_retention_total',
    help: 'Logs, records and other objects that were to be removed because they are old, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with it.
  for (const kind of SWEEP_PARTS) for (const outcome of ['removed', 'failed']) swept.inc({ kind, outcome }, 0);
  return (kind, { removed, failed }) => {
    swept.inc({ kind, outcome: 'removed' }, removed);
    swept.inc({ kind, outcome: 'failed' }, failed);
  };
}
