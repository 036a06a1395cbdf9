import { SWEEP_PARTS, type SweepPart, type SweptPart } from '@nereid/domain/activities';
import { Counter, type Registry } from 'prom-client';

/** Counts what retention has removed, by its kind. */
export type OnSwept = (part: SweepPart, swept: Pick<SweptPart, 'removed' | 'failed'>) => void;

export function measureRetention(registry: Registry): OnSwept {
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
