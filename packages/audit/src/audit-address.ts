/** Where the audit trail goes: `file:/path.jsonl` or `sns:<topic arn>`. */
import { InvalidAuditUrlError } from './errors.ts';

export type AuditAddress =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'sns'; readonly topicArn: string; readonly region: string; readonly isFifo: boolean };

/** Throws `InvalidAuditUrlError`. */
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
