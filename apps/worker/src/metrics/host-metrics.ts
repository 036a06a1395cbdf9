import { Gauge, type Registry } from 'prom-client';
import type { Slots } from '../host/claim/slots.ts';

/** What this host has, asked when it is read. Summed over all workers it is what the installation has. */
export function measureHost(registry: Registry, slots: Pick<Slots, 'usage'>): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge(
    'nereid_host_slots',
    'Slots of this host; there are as many hosts as there are of these.',
    () => slots.usage().total,
  );
  gauge('nereid_host_slots_used', 'Slots of this host that a deployment has.', () => slots.usage().used);
  gauge('nereid_host_draining', '1 while this host takes no more claims.', () => Number(slots.usage().draining));
}
