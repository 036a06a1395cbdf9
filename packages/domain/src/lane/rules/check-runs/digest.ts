/**
 * A digest to tell texts apart. It has 64 bits, so that two different texts of a lane never have the same digest in practice.
 * Not for secrets. Workflow code has no crypto; this is FNV-1a with 32 bits twice, from different offsets, once backwards.
 */
export function digest(text: string): string {
  let forwards = OFFSET;
  let backwards = OFFSET ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    forwards = Math.imul(forwards ^ text.charCodeAt(index), PRIME);
    backwards = Math.imul(backwards ^ text.charCodeAt(text.length - 1 - index), PRIME);
  }
  return hex(forwards) + hex(backwards);
}

/** The constants of FNV-1a with 32 bits. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
