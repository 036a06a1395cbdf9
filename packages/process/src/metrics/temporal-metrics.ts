import { Gauge, type Registry } from 'prom-client';
import type { TemporalProbe } from '../temporal/temporal-probe.ts';

/** Asks Temporal at each scrape, and waits no longer than the probe does. */
export function measureTemporal(registry: Registry, isReachable: TemporalProbe): void {
  new Gauge({
    name: 'nereid_temporal_reachable',
    help: '1 while Temporal answers this process, otherwise 0.',
    registers: [registry],
    async collect() {
      this.set(Number(await isReachable()));
    },
  });
}
