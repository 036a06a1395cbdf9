/** Turns octokit's errors into the two failures that callers tell apart: ask again later, or refused. */
import {
  GitHubRefusedError,
  GitHubShutOutError,
  GitHubUnavailableError,
  HeldBackError,
  NotBegunError,
} from '../errors.ts';

/** GitHub's messages are short, but a proxy may answer with a whole page. */
const SENTENCE_LIMIT = 300;

/** For a secondary limit without a `Retry-After`, GitHub's documentation says: "wait at least one minute". */
const LIMIT_WITHOUT_RETRY_AFTER_MS = 60_000;

/** GitHub's longest window. A longer wait comes from a proxy, and is not believed. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** Turns the error of a request into ours. An error that is neither an answer nor the lack of one is a bug, and is returned. */
export function failureOf(route: string, error: unknown): unknown {
  if (error instanceof HeldBackError) {
    return new GitHubUnavailableError(route, error.status, error.retryAfterMs, { cause: error });
  }
  // A signal ended the request, or kept it from beginning.
  if (error instanceof DOMException || error instanceof NotBegunError)
    return new GitHubUnavailableError(route, 0, undefined, { cause: error });
  if (!isRequestError(error)) return error;
  if (error.response === undefined) return new GitHubUnavailableError(route, 0, undefined, { cause: error });

  const retryAfterMs = retryAfterOf(error);
  if (retryAfterMs !== undefined || error.status >= 500) {
    return new GitHubUnavailableError(route, error.status, retryAfterMs, { cause: error });
  }
  const Refusal = isShutOut(error) ? GitHubShutOutError : GitHubRefusedError;
  return new Refusal(route, error.status, error.message.slice(0, SENTENCE_LIMIT), { cause: error });
}

/** True when GitHub refuses our App, whatever it asks for: its key is wrong, or it is suspended, or not installed there. */
export function isShutOut(error: unknown): boolean {
  if (!isRequestError(error)) return false;
  const { status, message, request } = error;
  return (
    status === 401 ||
    (status === 403 && /suspended/i.test(message)) ||
    (status === 404 && request?.url.endsWith('/access_tokens') === true)
  );
}

/** True when GitHub answered that the object does not exist, or that we may not see it. */
export function isNotFound(error: unknown): boolean {
  return error instanceof GitHubRefusedError && error.status === 404;
}

/** octokit's RequestError, recognised by its shape: our dependencies do not export its class. */
interface RequestError extends Error {
  readonly status: number;
  readonly response?: { readonly headers: Headers };
  readonly request?: { readonly url: string };
}

type Headers = Readonly<Record<string, string | number | undefined>>;

export function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'HttpError' && 'status' in error && typeof error.status === 'number';
}

/** True when there was no answer, or none of GitHub's own. */
export function isServerAway(error: unknown): boolean {
  return isRequestError(error) && (error.response === undefined || error.status >= 500);
}

/** How long GitHub wants to be left alone, if it said or implied so; at most an hour. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!isRequestError(error)) return undefined;
  const waitMs = waitOf(error);
  return waitMs === undefined ? undefined : Math.min(waitMs, LONGEST_WAIT_MS);
}

/** How long to ask nothing after this answer: until the budget's reset if the answer took the last of it, otherwise 0. */
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
