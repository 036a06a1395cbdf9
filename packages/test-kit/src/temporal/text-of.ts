/**
 * All texts and all bytes in what Temporal returned, such as the events of a history: what somebody sees who reads its database. Not
 * its own form as JSON, which has bytes in base64.
 */
export function textOf(value: unknown): string {
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inside]) => `${name}: ${textOf(inside)}`)
    .join('\n');
}
