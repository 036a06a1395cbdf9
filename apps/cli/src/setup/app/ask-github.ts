/** A request to GitHub's API, and what came of it as a value or a sentence. */
import type { z } from 'zod';
import { readReply } from '../../client/read-answer.ts';
import { causeOf, pause, throwIfEnded } from '../../client/send.ts';
import { EXIT, ExitError } from '../../exit-code.ts';

export interface GitHubRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** A JWT of the App. */
  readonly token?: string;
}

export type GitHubAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** A clause that follows "found". */
  | { readonly kind: 'other'; readonly status: number; readonly found: string };

/** More than an App takes. */
const LONGEST_ANSWER = 1_000_000;

const ANSWER_MS = 30_000;

/** GitHub is back within this, most of the time. Milliseconds. */
const PAUSES_MS = [1_000, 4_000] as const;

/** Throws an `ExitError` when GitHub does not answer, or answers with something else than `schema` says. */
export async function askGitHub<T>(
  request: GitHubRequest,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<GitHubAnswer<T>> {
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const { status, text } = await attempt(request, signal);
    if (status >= 500 && pauseMs !== undefined) {
      await pause(pauseMs, signal);
      continue;
    }
    if (status < 200 || status >= 300) return { kind: 'other', status, found: `the status ${status}` };
    const read = schema.safeParse(parsed(text));
    if (read.success) return { kind: 'ok', value: read.data };
    // The answer may hold secrets, so only the place of what is wrong is named.
    const where = read.error.issues.map(({ path }) => path.join('.') || 'all of it').join(', ');
    return { kind: 'other', status, found: `an answer of another form (${where})` };
  }
  throw new Error('expected to return in the last round');
}

async function attempt({ method, url, token }: GitHubRequest, signal: AbortSignal) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), ANSWER_MS);
  const headers = {
    accept: 'application/vnd.github+json',
    'user-agent': 'nereid',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  try {
    const limit = AbortSignal.any([signal, late.signal]);
    const response = await fetch(url, { method, headers, redirect: 'manual', signal: limit });
    const { text } = await readReply(response, LONGEST_ANSWER);
    return { status: response.status, text };
  } catch (why) {
    throwIfEnded(signal);
    if (why instanceof ExitError) throw why;
    const { origin } = new URL(url);
    throw new ExitError(
      EXIT.notNow,
      `expected GitHub at ${origin} to answer, found ${causeOf(why)}; look at the network, and run nereid setup again`,
      { cause: why },
    );
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
