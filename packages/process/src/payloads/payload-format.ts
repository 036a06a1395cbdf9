/** A payload as one piece: the length of its notes, its notes as JSON, its data. */
import type { Payload } from '@temporalio/common';

const LENGTH_BYTES = 4;

export function packPayload({ metadata, data }: Payload): Buffer {
  const written = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  const notes = Buffer.from(JSON.stringify(Object.fromEntries(written)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(notes.length);
  return Buffer.concat([length, notes, data ?? Buffer.alloc(0)]);
}

/** The inverse. Throws when the bytes are none of ours. */
export function unpackPayload(bytes: Buffer): Payload {
  const end = LENGTH_BYTES + bytes.readUInt32BE();
  // The process that seals has written it, above.
  const notes = JSON.parse(bytes.subarray(LENGTH_BYTES, end).toString()) as Record<string, string>;
  const metadata = Object.entries(notes).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const);
  return { metadata: Object.fromEntries(metadata), data: bytes.subarray(end) };
}
