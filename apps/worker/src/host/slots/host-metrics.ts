import type { ServerConfig } from '@nereid/config';
import { Gauge, type Registry } from 'prom-client';
import type { Slots } from './slots.ts';

/**
 * The slots of this host, read at each scrape, and the sandbox that it started with. The sum of the slots over all workers is
 * the capacity of the installation.
 */
export function measureHost(
  registry: Registry,
  slots: Pick<Slots, 'usage'>,
  sandbox: ServerConfig['terraform']['sandbox'],
): void {
  new Gauge({
    name: 'nereid_host_sandbox',
    help: '1, with the sandbox that code of repositories has on this host: bubblewrap or none.',
    labelNames: ['kind'],
    registers: [registry],
  }).set({ kind: sandbox }, 1);
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
    'Slots of this host. The number of these series is the number of hosts.',
    () => slots.usage().total,
  );
  gauge('nereid_host_slots_used', 'Slots of this host that deployments and previews hold.', () => slots.usage().used);
  gauge(
    'nereid_host_preview_slots',
    'Slots of this host that previews may keep when deployments need them.',
    () => slots.usage().previews.total,
  );
  gauge(
    'nereid_host_preview_slots_used',
    'Slots of this host that previews hold, borrowed ones included.',
    () => slots.usage().previews.used,
  );
  gauge('nereid_host_draining', '1 while this host takes no more claims.', () => Number(slots.usage().draining));
}
