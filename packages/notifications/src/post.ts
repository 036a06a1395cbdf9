/** Speaks HTTP to a destination: one attempt, bounded, and without believing what it says. */
import { AuditSecretError, reasonOf } from '@nereid/audit';
import type { Answer } from './answer.ts';

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostOptions {
  /** For the whole request and its answer. */
  readonly answerMs: number;
}

/** Longer than any of these services takes; the lease of the worker that delivers is much longer. */
export const POST_OPTIONS: PostOptions = { answerMs: 10_000 };

/** The answer of a service that took the request: `judge` reads the beginning of its body. */
type Judge = (body: string) => Answer;

/**
 * Sends what `prepare` makes. A redirect is a refusal: it would take a signature or a token to another server, or us to an address
 * inside. Without `judge`, the status decides, and the body is not read.
 */
export async function post(options: PostOptions, prepare: () => Promise<Post>, judge?: Judge): Promise<Answer> {
  try {
    const { url, headers, body } = await prepare();
    const signal = AbortSignal.timeout(options.answerMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const isTaken = response.status >= 200 && response.status < 300;
    if (isTaken && judge) return judge(await beginningOf(response));
    await response.body?.cancel();
    return isTaken ? { kind: 'delivered' } : answerOfStatus(response);
  } catch (error) {
    // An operator may mend a secret, a network or a certificate meanwhile.
    const reason = error instanceof AuditSecretError ? error.message : `no answer (${reasonOf(error)})`;
    return { kind: 'later', reason };
  }
}

function answerOfStatus({ status, headers }: Response): Answer {
  const reason = `answered ${status}`;
  if (status >= 300 && status < 400) return { kind: 'refused', reason: `${reason}: redirects are not followed` };
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'refused', reason };
  const retryAfterMs = retryAfterOf(headers.get('retry-after'), Date.now());
  return { kind: 'later', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A service that asks for more would keep notifications until they are dropped. */
const RETRY_AFTER_LIMIT_MS = 3_600_000;

/** Seconds, or a date. */
function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_LIMIT_MS);
}

/** A service that took a message says so in less than a kilobyte. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** Reads no further than the limit: a server may send without end. */
async function beginningOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > BODY_LIMIT_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, BODY_LIMIT_BYTES);
}
