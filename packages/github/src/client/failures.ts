/** Turns what octokit throws into the two failures that callers tell apart: ask again later, or refused. */
import { HeldBackError } from './limits/held-back.ts';
import { GitHubRefusedError, GitHubUnavailableError } from '../errors.ts';

/** GitHub's messages are short; what a proxy answers instead may be a page. */
const SENTENCE_LIMIT = 300;

/** What a secondary limit without a `Retry-After` asks for, says GitHub's documentation: "wait at least one minute". */
const LIMIT_WITHOUT_RETRY_AFTER_MS = 60_000;

/** The longest of GitHub's windows; whoever asks for more, a proxy, is not believed. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** The failure of a request, as ours. What is not an answer (or the lack of one) is a bug and is given back as it is. */
export function failureOf(route: string, error: unknown): unknown {
  if (error instanceof HeldBackError) {
    return new GitHubUnavailableError(route, error.status, error.retryAfterMs, { cause: error });
  }
  // A signal ended it, or kept it from beginning.
  if (error instanceof DOMException) return new GitHubUnavailableError(route, 0, undefined, { cause: error });
  if (!isRequestError(error)) return error;
  if (error.response === undefined) return new GitHubUnavailableError(route, 0, undefined, { cause: error });

  const retryAfterMs = retryAfterOf(error);
  if (retryAfterMs !== undefined || error.status >= 500) {
    return new GitHubUnavailableError(route, error.status, retryAfterMs, { cause: error });
  }
  return new GitHubRefusedError(route, error.status, error.message.slice(0, SENTENCE_LIMIT), { cause: error });
}

/** True when GitHub answered that there is no such thing, or none that we may see. */
export function isNotFound(error: unknown): boolean {
  return error instanceof GitHubRefusedError && error.status === 404;
}

/** octokit's RequestError, told by its shape: its class is not exported by what we depend on. */
interface RequestError extends Error {
  readonly status: number;
  readonly response?: { readonly headers: Headers };
}

type Headers = Readonly<Record<string, string | number | undefined>>;

export function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'HttpError' && 'status' in error && typeof error.status === 'number';
}

/** How long GitHub wants to be left alone, if it said so or meant it; at most an hour. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!isRequestError(error)) return undefined;
  const waitMs = waitOf(error);
  return waitMs === undefined ? undefined : Math.min(waitMs, LONGEST_WAIT_MS);
}

/** How long nothing more is asked after this answer: it took the last of the budget. */
export function quietAfter(headers: Headers): number {
  return Math.min(budgetResetOf(headers) ?? 0, LONGEST_WAIT_MS);
}

function budgetResetOf(headers: Headers): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  return Math.max(0, Number(headers['x-ratelimit-reset'] ?? 0) * 1_000 - Date.now());
}

function waitOf(error: RequestError): number | undefined {
  const headers = error.response?.headers ?? {};
  const seconds = Number(headers['retry-after']);
  if (Number.isFinite(seconds)) return seconds * 1_000;

  if (error.status !== 403 && error.status !== 429) return undefined;
  const resetMs = budgetResetOf(headers);
  if (resetMs !== undefined) return resetMs;
  return error.status === 429 || /secondary rate/i.test(error.message) ? LIMIT_WITHOUT_RETRY_AFTER_MS : undefined;
}
