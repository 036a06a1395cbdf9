import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The bytes that are signed. Fields that are undefined do not count, as in JSON. */
export function payloadOf(facts: object): Uint8Array<ArrayBuffer> {
  // As JSON has it: a class, a date or a symbol is not what the other side reads.
  const text = canonicalize(JSON.parse(JSON.stringify(facts)) as unknown);
  return new TextEncoder().encode(text);
}

/** SHA-256 of the same bytes, 64 hex digits. */
export function digestOf(facts: object): string {
  return createHash('sha256').update(payloadOf(facts)).digest('hex');
}
