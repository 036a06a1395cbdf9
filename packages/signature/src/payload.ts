import canonicalize from 'canonicalize';

/** The bytes that are signed. Fields that are undefined do not count, as in JSON. */
export function payloadOf(facts: object): Uint8Array<ArrayBuffer> {
  // As JSON has it: a class, a date or a symbol is not what the other side reads.
  const text = canonicalize(JSON.parse(JSON.stringify(facts)) as unknown);
  return new TextEncoder().encode(text);
}
