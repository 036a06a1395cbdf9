import { beginningOf } from './beginning-of.ts';
import { inTime } from './in-time.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostAnswer {
  readonly status: number;
  /** The status is 200 to 299. */
  readonly isTaken: boolean;
  /** The beginning of the answer of a receiver that took the request; empty unless it was asked for. */
  readonly body: string;
  /** As the receiver wrote it. */
  readonly retryAfter?: string;
}

/** `answerMs`: for the whole attempt, with all that `prepare` needs first. */
interface PostOnceOptions {
  readonly answerMs: number;
  readonly readsBody: boolean;
}

/**
 * Sends what `prepare` makes, once. A redirect is an answer: to follow it would take a signature or a token to another server, or
 * us to an address inside. Throws what `prepare` throws, and failures of the network.
 */
export function postOnce({ answerMs, readsBody }: PostOnceOptions, prepare: () => Promise<Post>): Promise<PostAnswer> {
  return inTime(answerMs, async (signal) => {
    const { url, headers, body } = await prepare();
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const { status } = response;
    const isTaken = status >= 200 && status < 300;
    const beginning = isTaken && readsBody ? await beginningOf(response) : '';
    if (!response.bodyUsed) await response.body?.cancel();
    const retryAfter = response.headers.get('retry-after');
    return { status, isTaken, body: beginning, ...(retryAfter !== null && { retryAfter }) };
  });
}
