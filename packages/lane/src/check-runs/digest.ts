/**
 * A digest to tell texts apart: 64 bits, so that two of a lane that differ are never the same in practice. Not for secrets.
 * Workflow code has no crypto; this is FNV-1a over two halves of different beginnings, the second backwards.
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

/** Of FNV-1a with 32 bits. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
