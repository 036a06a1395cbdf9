import { parseAuditUrl } from './audit-address.ts';
import type { Audit, AuditOptions } from './audit.ts';

/**
 * Opens `file:/path.jsonl` or `sns:<topic arn>`. Reads and creates nothing before the first event. Credentials come from
 * the standard AWS environment. Throws `InvalidAuditUrlError`.
 */
export async function openAudit(url: string, options: AuditOptions = {}): Promise<Audit> {
  const address = parseAuditUrl(url);
  // Imported on demand: a process that writes to a file should not wait 0.2 s for the AWS SDK.
  if (address.kind === 'sns') return (await import('./sns-audit.ts')).createSnsAudit(address, options);
  return (await import('./file-audit.ts')).createFileAudit(address.path);
}
