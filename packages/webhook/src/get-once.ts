import { beginningOf } from './beginning-of.ts';
import { inTime } from './in-time.ts';

export interface Get {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface GetAnswer {
  readonly status: number;
  /** The beginning, at most `BODY_LIMIT_BYTES`; empty unless it was asked for. */
  readonly body: string;
}

/** `answerMs`: for the whole attempt, with all that `prepare` needs first. */
interface GetOnceOptions {
  readonly answerMs: number;
  readonly readsBody: boolean;
}

/**
 * Asks what `prepare` makes, once. A redirect is an answer: to follow it would take a token to another server, or us to an address
 * inside. Throws what `prepare` throws, and failures of the network.
 */
export function getOnce({ answerMs, readsBody }: GetOnceOptions, prepare: () => Promise<Get>): Promise<GetAnswer> {
  return inTime(answerMs, async (signal) => {
    const { url, headers } = await prepare();
    const response = await fetch(url, { headers, signal, redirect: 'manual' });
    const body = readsBody ? await beginningOf(response) : '';
    if (!response.bodyUsed) await response.body?.cancel();
    return { status: response.status, body };
  });
}
