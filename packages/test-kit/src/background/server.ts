import { setTimeout as pause } from 'node:timers/promises';
import { startInBackground, type BackgroundOptions, type BackgroundProcess } from './background-process.ts';
import { describeEnding } from './ending.ts';
import { logTail } from './log-tail.ts';

export interface ServerStart {
  readonly name: string;
  readonly process: BackgroundOptions;
  /** Polled; a rejection counts as not ready, and is the cause of the error when the start fails. */
  readonly isReady: () => Promise<boolean>;
  readonly readyTimeoutMs: number;
  /** Ends the start at once: a server that is not ready yet has nothing to put in order, and is killed. */
  readonly signal?: AbortSignal | undefined;
}

/** A server did not come up. The message has the end of its log. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly code = 'SERVER_NOT_STARTED';
  readonly logFile: string;

  constructor(server: string, why: string, logFile: string, tail: string, options?: ErrorOptions) {
    super(`${server} ${why}; its log ${logFile} ends with:\n${tail === '' ? '(nothing)' : tail}`, options);
    this.logFile = logFile;
  }
}

/** On average, a start waits half of this too long. */
const POLL_MS = 50;

/** Starts a server and waits until it is ready, or stops it. Throws `ServerStartError`, or the reason of the signal. */
export async function startUntilReady(start: ServerStart): Promise<BackgroundProcess> {
  const server = await startInBackground(start.process);
  try {
    await orAborted(waitUntilReady(start, server), start.signal);
    return server;
  } catch (error) {
    await (start.signal?.aborted ? server.kill() : server.stop());
    throw error;
  }
}

async function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    aborted.reject(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  await Promise.race([work, aborted.promise]).finally(() => signal?.removeEventListener('abort', onAbort));
}

async function waitUntilReady(start: ServerStart, server: BackgroundProcess): Promise<void> {
  const { isReady, readyTimeoutMs } = start;
  const deadline = performance.now() + readyTimeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      if (await isReady()) return;
    } catch (error) {
      cause = error;
    }
    const ending = server.ending();
    if (ending) throw await failed(start, `${describeEnding(ending)} before it was ready`, cause);
    if (performance.now() > deadline) throw await failed(start, `was not ready within ${readyTimeoutMs} ms`, cause);
    await pause(POLL_MS);
  }
}

async function failed(
  { name, process: { logFile } }: ServerStart,
  why: string,
  cause: unknown,
): Promise<ServerStartError> {
  return new ServerStartError(name, why, logFile, await logTail(logFile), { cause });
}
