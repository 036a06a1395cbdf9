import { auditAddressOf, type AuditAddress } from '@nereid/domain/trail/address';
import { InvalidAuditUrlError } from './errors.ts';

/** Throws `InvalidAuditUrlError`. */
export function parseAuditUrl(url: string): AuditAddress {
  const address = auditAddressOf(url);
  if (address === undefined) throw new InvalidAuditUrlError(url);
  return address;
}
