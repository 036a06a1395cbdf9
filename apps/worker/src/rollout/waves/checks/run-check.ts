/** Asks a server for one check of a wave, once. What answers is not believed: its texts are cut, and nothing that it says is followed. */
import type { RequestCheck } from '@nereid/config';
import { plain } from '@nereid/forge';
import { getOnce, readKey, reasonOf, SecretFileError, type GetAnswer } from '@nereid/webhook';
import { judgePrometheus, queryUrl } from './prometheus.ts';

/** `sentence` completes "the check …": "answered 500, expected 200 to 299". Everybody who may read the check run reads it. */
export interface CheckAnswer {
  readonly passes: boolean;
  readonly sentence: string;
}

/** A part of the title of a check run. */
export const SENTENCE_LIMIT = 200;

/** Never throws. `onFailure` is told what operators alone may read, such as the path of a secret that cannot be read. */
export async function runCheck(check: RequestCheck, onFailure: (error: unknown) => void): Promise<CheckAnswer> {
  const { target, timeoutMs } = check;
  try {
    const url = target.kind === 'http' ? target.url : queryUrl(target);
    const readsBody = target.kind === 'prometheus';
    const answer = await getOnce({ answerMs: timeoutMs, readsBody }, async () => ({
      url,
      headers: { accept: readsBody ? 'application/json' : '*/*', ...(await secretHeader(check)) },
    }));
    const { passes, sentence } = target.kind === 'http' ? judgeStatus(target, answer) : judgePrometheus(target, answer);
    return { passes, sentence: plain(sentence, SENTENCE_LIMIT) };
  } catch (error) {
    onFailure(error);
    return { passes: false, sentence: describeFailure(error, timeoutMs) };
  }
}

async function secretHeader({ secret }: RequestCheck): Promise<Readonly<Record<string, string>>> {
  if (secret === undefined) return {};
  const key = await readKey(secret.file);
  return { [secret.header]: secret.header.toLowerCase() === 'authorization' ? `Bearer ${key}` : key };
}

function judgeStatus({ status: expected }: { readonly status?: number }, { status }: GetAnswer): CheckAnswer {
  const passes = expected === undefined ? status >= 200 && status <= 299 : status === expected;
  if (passes) return { passes, sentence: `answered ${status}` };
  const redirect = status >= 300 && status <= 399 ? ', and redirects are not followed' : '';
  return { passes, sentence: `answered ${status}, expected ${expected ?? '200 to 299'}${redirect}` };
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof SecretFileError)
    return 'was not asked: its secret cannot be read; the log of the worker says why';
  if (isBadPort(error)) return 'was not asked: clients of HTTP refuse its port; serve it on another one';
  const reason = reasonOf(error);
  if (reason === 'TimeoutError') return `did not answer within ${timeoutMs / 1_000}s`;
  return plain(`did not answer (${reason})`, SENTENCE_LIMIT);
}

/** The standard of fetch keeps some ports from being asked, such as 6000, and its failure has no code. */
function isBadPort(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
}
