/** Speaks HTTP to a destination: one attempt, whose answer decides whether there is another. */
import { postOnce, reasonOf, SecretFileError, type Post, type PostAnswer } from '@nereid/webhook';
import { DELIVERED, RETRY_AFTER_LIMIT_MS, type Answer } from './answer.ts';

export interface PostOptions {
  /** For the whole request and its answer. */
  readonly answerMs: number;
}

/** Longer than any of these services takes; the lease of the worker that delivers is much longer. */
export const POST_OPTIONS: PostOptions = { answerMs: 10_000 };

/** The answer of a service that took the request: `judge` reads the beginning of its body. */
type Judge = (body: string) => Answer;

/** Sends what `prepare` makes. A redirect is a refusal. Without `judge`, the status decides, and the body is not read. */
export async function post({ answerMs }: PostOptions, prepare: () => Promise<Post>, judge?: Judge): Promise<Answer> {
  try {
    const answer = await postOnce({ answerMs, readsBody: judge !== undefined }, prepare);
    if (!answer.isTaken) return answerOfStatus(answer);
    return judge ? judge(answer.body) : DELIVERED;
  } catch (error) {
    // An operator may mend a secret, a network or a certificate meanwhile.
    const reason = error instanceof SecretFileError ? error.message : `no answer (${reasonOf(error)})`;
    return { kind: 'later', reason };
  }
}

function answerOfStatus({ status, retryAfter }: PostAnswer): Answer {
  const reason = `answered ${status}`;
  if (status >= 300 && status < 400) return { kind: 'refused', reason: `${reason}: redirects are not followed` };
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'refused', reason };
  const retryAfterMs = retryAfterOf(retryAfter, Date.now());
  return { kind: 'later', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Seconds, or a date. */
function retryAfterOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_LIMIT_MS);
}
