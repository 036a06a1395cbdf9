import { sinkName, type AuditAddress, type AuditSink } from '@nereid/domain/trail/address';
import { parseAuditUrl } from './audit-url.ts';
import type { Audit, AuditOptions } from './audit.ts';

/** A place of events, and how the log, the metrics and doctor name it. */
export interface OpenedSink {
  readonly name: string;
  readonly audit: Audit;
}

/**
 * Opens the place that a sink names. Reads and creates nothing before the first event. Credentials of clouds come from
 * their standard environment. Throws `InvalidAuditUrlError`.
 */
export async function openAudit(sink: AuditSink, options: AuditOptions = {}): Promise<OpenedSink> {
  const address = parseAuditUrl(sink.to);
  return { name: sinkName(address), audit: await openAddress(address, sink.secretFile ?? '', options) };
}

/** Imported on demand: a process that writes to a file should not wait 0.2 s for the AWS SDK. */
async function openAddress(address: AuditAddress, secretFile: string, options: AuditOptions): Promise<Audit> {
  switch (address.kind) {
    case 'file':
      return (await import('./file-audit.ts')).createFileAudit(address.path);
    case 'sns':
      return (await import('./sns-audit.ts')).createSnsAudit(address, options.sns);
    case 'pubsub':
      return (await import('./http/pubsub-audit.ts')).createPubsubAudit(address, options);
    case 'webhook':
      return (await import('./http/webhook-audit.ts')).createWebhookAudit(address, secretFile, options);
    case 'eventgrid':
      return (await import('./http/event-grid-audit.ts')).createEventGridAudit(address, secretFile, options);
  }
}
