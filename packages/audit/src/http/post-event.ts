/** Speaks HTTP to a place of audit events: bounded, and without believing what it says. */
import pRetry from 'p-retry';
import type { HttpLimits } from '../audit.ts';
import { AuditAnswerError, AuditSecretError } from '../errors.ts';

export const HTTP_LIMITS: HttpLimits = {
  /** The first attempt and one retry; the caller retries as well. */
  attempts: 2,
  /** A call takes tens of milliseconds; two attempts stay below the activity's 30 s, as they do with SNS. */
  answerMs: 8_000,
  pauseMs: 250,
};

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends what `prepare` makes, again where that may help. Throws `AuditAnswerError` for any status but 200 to 299: a redirect
 * would take a signature or a token to another server. `check` judges an answer; without it, only the status counts, and
 * what follows is not read.
 */
export async function postEvent(
  limits: HttpLimits,
  prepare: () => Promise<Post>,
  check?: (answer: string) => void,
): Promise<void> {
  const once = () =>
    inTime(limits.answerMs, async (signal) => {
      const { url, headers, body } = await prepare();
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      const isAccepted = response.status >= 200 && response.status < 300;
      if (isAccepted && check) check(await beginningOf(response));
      else await response.body?.cancel();
      if (!isAccepted) throw new AuditAnswerError(response.status);
    });
  await pRetry(once, {
    retries: limits.attempts - 1,
    minTimeout: limits.pauseMs,
    shouldRetry: ({ error }) => mayPass(error),
  });
}

/** The network, time, and services that are busy or broken. */
function mayPass(error: unknown): boolean {
  if (error instanceof AuditSecretError) return false;
  return !(error instanceof AuditAnswerError) || error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Rejects when the time is over, also where the work does not hear of the signal. */
export async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const error = new DOMException(`nothing came within ${ms} ms`, 'TimeoutError');
    // First, so that this is the failure, and not what the work makes of being aborted.
    late.reject(error);
    controller.abort(error);
  }, ms);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A service that took an event says so in less than a kilobyte. */
const ANSWER_LIMIT_BYTES = 64 * 1024;

/** Reads no further than the limit: a server may send without end. */
async function beginningOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > ANSWER_LIMIT_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, ANSWER_LIMIT_BYTES);
}
