import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Providers have hundreds of megabytes; reading in chunks of 64 KiB takes twice as long. */
const CHUNK_BYTES = 1024 * 1024;

/** SHA-256 of a file, 64 hex digits. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), hash);
  return hash.digest('hex');
}
