/** Sends a job's log as plain text, piece by piece, so that memory does not grow with the length of the log. */
import { once } from 'node:events';
import { READ_LIMIT_BYTES, type LogReader } from '@nereid/storage';
import type { Response } from 'express';
import { inTime } from '../../platform/in-time.ts';
import { createLogText } from './log-text.ts';

export interface SendLogOptions {
  /** How many bytes of the log are left out at its beginning. */
  readonly offset: number;
  /** How long each piece is waited for, in milliseconds. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Throws what the storage throws, and `SlowStorageError`: before anything was sent, somebody can still say so. */
export async function sendLog(
  reader: Pick<LogReader, 'read'>,
  response: Response,
  { offset: from, patienceMs, signal }: SendLogOptions,
): Promise<void> {
  const text = createLogText();
  let offset = from;
  while (!signal.aborted) {
    const part = await inTime(reader.read(offset, READ_LIMIT_BYTES), patienceMs);
    if (!response.headersSent) response.setHeader('content-type', 'text/plain; charset=utf-8');
    if (part.bytes.length === 0) break;
    offset = part.nextOffset;
    const plain = text.add(part.bytes).map(([words]) => words);
    if (!response.write(plain.join(''))) await once(response, 'drain', { signal }).catch(() => undefined);
  }
  // A reader has to notice that this is not the whole.
  if (signal.aborted) response.destroy();
  else response.end();
}
