/**
 * A job's log is a row of chunks, `logs/<job id>/<offset of the chunk's first byte, 12 digits>`, followed by a manifest.
 *
 * Because keys sort by offset, one listing finds any part of a log: a chunk has at most `CHUNK_LIMIT_BYTES`, so the
 * chunk that holds a byte begins less than that before the byte. The manifest sorts after every chunk.
 */
import { InvalidKeyError } from '../errors.ts';
import { isSegment } from '../objects/object-key.ts';

/** Large enough that 100 MB take 1,600 objects, small enough to send to a browser in one piece. */
export const CHUNK_LIMIT_BYTES = 64 * 1024;

/** Enough for a terabyte. */
const OFFSET_DIGITS = 12;

export function logPrefix(jobId: string): string {
  // Job ids reach the console in URLs.
  if (!isSegment(jobId)) throw new InvalidKeyError(jobId, 'a job id is one part of a key');
  return `logs/${jobId}/`;
}

export function chunkKey(jobId: string, offset: number): string {
  return `${logPrefix(jobId)}${String(offset).padStart(OFFSET_DIGITS, '0')}`;
}

/** Undefined when the key is not that of a chunk. */
export function chunkOffset(key: string): number | undefined {
  const digits = /\/(?<digits>\d{12})$/.exec(key)?.groups?.['digits'];
  return digits === undefined ? undefined : Number(digits);
}

/** Begins with no digit, and so is no chunk. */
export function planTextKey(jobId: string): string {
  return `${logPrefix(jobId)}plan-text.json`;
}

export function manifestKey(jobId: string): string {
  return `${logPrefix(jobId)}manifest.json`;
}
