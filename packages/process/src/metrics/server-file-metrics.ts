import type { ReloadableServerConfig } from '@nereid/config';
import { Gauge, type Registry } from 'prom-client';

/** Gateways keep no diagnosis, so that only this says that theirs is outdated. */
export function measureServerFile(registry: Registry, server: Pick<ReloadableServerConfig, 'outdated'>): void {
  new Gauge({
    name: 'nereid_server_file_outdated',
    help: '1 while the server’s file could not be reloaded and an earlier version is in force, otherwise 0.',
    registers: [registry],
    collect() {
      this.set(Number(server.outdated() !== undefined));
    },
  });
}
