import type { TrailEvent } from '@nereid/contracts';
import { InvalidAuditUrlError } from './errors.ts';

/** The audit trail: every press and every apply, with person and time. */
export interface Audit {
  /**
   * Records one event. Once this returns, the event is stored. Events with the same id are the same event, so recording
   * one again after a lost answer is safe. Throws `AuditUnavailableError`.
   */
  record(event: TrailEvent): Promise<void>;
  /** Releases files and connections. Record nothing afterwards. */
  close(): void;
}

export interface AuditOptions {
  /** The SNS endpoint, when it is not AWS. Without it, the standard AWS environment decides. */
  readonly endpoint?: string;
  /** Default: the region in the topic's ARN. */
  readonly region?: string;
}

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

export type AuditAddress =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'sns'; readonly topicArn: string; readonly region: string; readonly isFifo: boolean };

export function parseAuditUrl(url: string): AuditAddress {
  const path = /^file:(?:\/\/)?(?<path>\/(?!\/)[^?#]*[^?#/])$/.exec(url)?.groups?.['path'];
  if (path !== undefined) return { kind: 'file', path: decodePath(url, path) };
  const { arn, region } =
    /^sns:(?<arn>arn:aws[a-z-]*:sns:(?<region>[a-z0-9-]+):\d{12}:[\w-]{1,251}(?:\.fifo)?)$/.exec(url)?.groups ?? {};
  if (arn === undefined || region === undefined) throw new InvalidAuditUrlError(url);
  return { kind: 'sns', topicArn: arn, region, isFifo: arn.endsWith('.fifo') };
}

function decodePath(url: string, path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new InvalidAuditUrlError(url);
  }
}
