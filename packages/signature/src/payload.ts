import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The canonical JSON (RFC 8785). Fields that are undefined do not count, as in JSON. */
export function canonicalOf(value: object): string {
  // As JSON has it: a class, a date or a symbol is not what the other side reads.
  return canonicalize(JSON.parse(JSON.stringify(value)) as unknown) ?? '';
}

/** The bytes that are signed. */
export function payloadOf(body: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalOf(body));
}

/** SHA-256 of the same bytes, 64 hex digits. */
export function digestOf(body: object): string {
  return createHash('sha256').update(payloadOf(body)).digest('hex');
}
