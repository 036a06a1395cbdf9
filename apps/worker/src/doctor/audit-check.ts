import { probeAudit } from '@nereid/audit';
import { fail, ok, skip, warn, type Check } from '@nereid/doctor';
import type { WorkerConfig } from '../platform/config/config.ts';

/** Hosts alone record no events. */
export function auditCheck({ server, roles }: Pick<WorkerConfig, 'server' | 'roles'>): Check {
  const { to, sns } = server.current().audit;
  return {
    name: 'audit',
    async run() {
      if (!roles.includes('control')) return skip('only a control worker records events');
      if (to === undefined) return skip('audit.to is not set: events are kept in storage alone');
      const probed = await probeAudit(to, sns);
      switch (probed.kind) {
        case 'usable':
          return ok(`${to} can be used`);
        case 'unknown':
          return warn(probed.sentence);
        case 'unusable':
          return fail(probed.sentence);
      }
    },
  };
}
