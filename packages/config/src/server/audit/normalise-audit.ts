import { defined } from '@nereid/domain/defined';
import type { AuditSink } from '@nereid/domain/trail/address';
import type { AuditConfig } from '../server-config.ts';
import type { Audit, Sink } from './audit-schema.ts';

export function normaliseAudit(audit: Audit | undefined): AuditConfig {
  if (!audit) return { to: [], required: false, sns: {}, pubsub: {} };
  const { to, required, sns, pubsub } = audit;
  return {
    to: (Array.isArray(to) ? to : [to]).map(sinkOf),
    // An operator who configures an audit trail wants nothing to happen without it.
    required: required ?? true,
    sns: defined({ endpoint: sns?.endpoint, region: sns?.region }),
    pubsub: defined({ endpoint: pubsub?.endpoint }),
  };
}

function sinkOf(sink: Sink): AuditSink {
  if (typeof sink === 'string') return { to: sink };
  const to = 'webhook' in sink ? `webhook:${sink.webhook}` : `eventgrid:${sink.event_grid}`;
  return { to, secretFile: sink.secret_file };
}
