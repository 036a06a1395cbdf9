/** Speaks HTTP to a place of audit events: a few bounded attempts. */
import pRetry from 'p-retry';
import { postOnce, SecretFileError, type Post } from '@nereid/webhook';
import type { HttpLimits } from '../audit.ts';
import { AuditAnswerError } from '../errors.ts';

export const HTTP_LIMITS: HttpLimits = {
  /** The first attempt and one retry; the caller retries as well. */
  attempts: 2,
  /** A call takes tens of milliseconds; two attempts stay below the activity's 30 s, as they do with SNS. */
  answerMs: 8_000,
  pauseMs: 250,
};

/**
 * Sends what `prepare` makes, again where that may help. Throws `AuditAnswerError` for any status but 200 to 299. `check` judges
 * an answer; without it, only the status counts.
 */
export async function postEvent(
  limits: HttpLimits,
  prepare: () => Promise<Post>,
  check?: (answer: string) => void,
): Promise<void> {
  const { answerMs } = limits;
  const once = async () => {
    const { isTaken, status, body } = await postOnce({ answerMs, readsBody: check !== undefined }, prepare);
    if (!isTaken) throw new AuditAnswerError(status);
    check?.(body);
  };
  await pRetry(once, {
    retries: limits.attempts - 1,
    minTimeout: limits.pauseMs,
    shouldRetry: ({ error }) => mayPass(error),
  });
}

/** The network, time, and services that are busy or broken. */
function mayPass(error: unknown): boolean {
  if (error instanceof SecretFileError) return false;
  return !(error instanceof AuditAnswerError) || error.status === 408 || error.status === 429 || error.status >= 500;
}
