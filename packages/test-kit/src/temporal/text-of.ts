import { inflateSync } from 'node:zlib';

/**
 * All texts and all bytes in what Temporal returned, such as the events of a history: what somebody sees who reads its database. Not
 * its own form as JSON, which has bytes in base64. A compressed payload is read as whoever has it can read it.
 */
export function textOf(value: unknown): string {
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  if (typeof value !== 'object' || value === null) return String(value);
  const compressed = compressedIn(value);
  if (compressed) return textOf(inflateSync(compressed));
  return Object.entries(value)
    .map(([name, inside]) => `${name}: ${textOf(inside)}`)
    .join('\n');
}

interface PayloadLike {
  readonly metadata?: { readonly encoding?: Uint8Array } | null;
  readonly data?: Uint8Array | null;
}

function compressedIn({ metadata, data }: PayloadLike): Uint8Array | undefined {
  const isCompressed = Buffer.from(metadata?.encoding ?? []).toString() === 'binary/zlib';
  return isCompressed ? (data ?? undefined) : undefined;
}
