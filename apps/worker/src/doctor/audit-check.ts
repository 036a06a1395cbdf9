import { probeAudit } from '@nereid/audit';
import { fail, ok, skip, warn, type Check } from '@nereid/doctor';
import type { AuditSink } from '@nereid/domain/trail/address';
import type { WorkerConfig } from '../platform/config/config.ts';

/** Hosts alone record no events. */
export function auditCheck({ server, roles }: Pick<WorkerConfig, 'server' | 'roles'>): Check {
  const { audit } = server.current();
  return {
    name: 'audit',
    async run() {
      if (!roles.includes('control')) return skip('only a control worker records events');
      if (audit.to.length === 0) return skip('audit.to is not set: events are kept in storage alone');
      const found = await Promise.all(audit.to.map((sink) => lookAt(sink, audit)));
      const sentences = (...kinds: readonly Found['kind'][]) =>
        found.flatMap(({ kind, sentence }) => (kinds.includes(kind) ? [sentence] : [])).join('. ');
      if (found.some(({ kind }) => kind === 'unusable')) return fail(sentences('unusable', 'unknown'));
      return found.some(({ kind }) => kind === 'unknown') ? warn(sentences('unknown')) : ok(sentences('usable'));
    },
  };
}

interface Found {
  readonly kind: 'usable' | 'unknown' | 'unusable';
  readonly sentence: string;
}

async function lookAt(sink: AuditSink, options: Parameters<typeof probeAudit>[1]): Promise<Found> {
  const { name, ...probed } = await probeAudit(sink, options);
  return probed.kind === 'usable' ? { kind: 'usable', sentence: `${name} can be used` } : probed;
}
