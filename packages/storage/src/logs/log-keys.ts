/**
 * A job's log is a row of chunks, `logs/<pool>/<job id>/<offset of the chunk's first byte, 12 digits>`, followed by a manifest.
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

/** Which log it is. */
export interface LogName {
  /** Of the hosts that write it. */
  readonly pool: string;
  readonly jobId: string;
}

export function logPrefix({ pool, jobId }: LogName): string {
  for (const part of [pool, jobId])
    if (!isSegment(part)) throw new InvalidKeyError(part, 'a pool and a job id are one part of a key each');
  return `${LOGS_PREFIX}${pool}/${jobId}/`;
}

/** Only logs of jobs are below it. */
export const LOGS_PREFIX = 'logs/';

/** The `logPrefix` of a key; undefined when the key does not belong to a log. */
export function logPrefixOf(key: string): string | undefined {
  return /^logs\/[^/]+\/[^/]+\//.exec(key)?.[0];
}

/** The id of a job begins with the id of its deployment, a UUID. */
export function deploymentOfLog(prefix: string): string {
  return (prefix.split('/')[2] ?? '').slice(0, UUID_LENGTH);
}

const UUID_LENGTH = 36;

export function chunkKey(log: LogName, offset: number): string {
  return `${logPrefix(log)}${String(offset).padStart(OFFSET_DIGITS, '0')}`;
}

/** Undefined when the key does not belong to a chunk. */
export function chunkOffset(key: string): number | undefined {
  const digits = /\/(?<digits>\d{12})$/.exec(key)?.groups?.['digits'];
  return digits === undefined ? undefined : Number(digits);
}

/** Begins with no digit, and so is no chunk. */
export function planTextKey(log: LogName): string {
  return `${logPrefix(log)}plan-text.json`;
}

/** The same with more room. */
export function wholePlanTextKey(log: LogName): string {
  return `${logPrefix(log)}plan-text-whole.json`;
}

export function manifestKey(log: LogName): string {
  return `${logPrefix(log)}manifest.json`;
}
