/** One request to the console, tried again where that is safe. */
import { setTimeout as waitFor } from 'node:timers/promises';
import { EXIT, ExitError } from '../exit-code.ts';
import { errorFields } from '../error-fields.ts';

export interface Request {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** An answer that takes longer comes to nobody: the console waits for Temporal at most 8 s, three times in a row. */
const ANSWER_MS = 30_000;

/** A console that starts again is back within this, in most installations. Milliseconds. */
const PAUSES_MS = [250, 1_000, 3_000] as const;

/** A server that wants more patience is left to the person. */
const LONGEST_PAUSE_MS = 10_000;

/** The console is stopping, or its proxy has none at the moment. What failed for good is not among them. */
const AGAIN = new Set([429, 502, 503, 504]);

/**
 * Reads may be repeated, and so may writes: each has a key by which the console knows it again. Follows no redirect, which would carry
 * the token to somebody else. Returns what `read` makes of the answer, which is part of the attempt: an answer may break off. Throws
 * an `ExitError` when nobody answers.
 */
export async function send<T>(
  request: Request,
  signal: AbortSignal,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const tried = await attempt(request, signal, read);
    if (tried.kind === 'answered' && !AGAIN.has(tried.status)) return tried.value;
    const waitMs = pauseMs === undefined ? undefined : Math.max(pauseMs, tried.pauseMs);
    if (waitMs !== undefined && waitMs <= LONGEST_PAUSE_MS) await pause(waitMs, signal);
    else if (tried.kind === 'answered') return tried.value;
    else throw noAnswer(request.url, tried.why);
  }
  throw new Error('expected to return in the last round');
}

type Attempt<T> =
  | { readonly kind: 'answered'; readonly status: number; readonly pauseMs: number; readonly value: T }
  | { readonly kind: 'lost'; readonly pauseMs: 0; readonly why: unknown };

async function attempt<T>(
  { url, ...request }: Request,
  signal: AbortSignal,
  read: (response: Response) => Promise<T>,
): Promise<Attempt<T>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), ANSWER_MS);
  try {
    const limit = AbortSignal.any([signal, late.signal]);
    const response = await fetch(url, { ...request, redirect: 'manual', signal: limit });
    return { kind: 'answered', status: response.status, pauseMs: pauseOf(response), value: await read(response) };
  } catch (why) {
    throwIfEnded(signal);
    if (why instanceof ExitError) throw why;
    return { kind: 'lost', pauseMs: 0, why };
  } finally {
    clearTimeout(timer);
  }
}

/** What the server asks for with `Retry-After`, in milliseconds. */
function pauseOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await waitFor(ms, undefined, { signal });
  } catch {
    throwIfEnded(signal);
  }
}

/** Ctrl-C and `--timeout` abort with the error that ends the program. */
export function throwIfEnded(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason instanceof Error ? signal.reason : new ExitError(EXIT.interrupted, '');
}

function noAnswer({ origin }: URL, why: unknown): ExitError {
  const message = `expected the console at ${origin} to answer, found ${causeOf(why)}; --console or NEREID_CONSOLE names another, and make demo starts one to try`;
  return new ExitError(EXIT.notNow, message, { cause: why });
}

/** Node hides what happened below "fetch failed", and of several addresses it has an error each. */
export function causeOf(error: unknown): string {
  const { name, message, cause } = errorFields(error);
  if (name === 'TimeoutError') return `no answer within ${ANSWER_MS / 1_000} s`;
  if (cause === undefined) return message;
  const { errors } = Object(cause) as { readonly errors?: unknown }; // Of an AggregateError.
  return causeOf(Array.isArray(errors) && errors.length > 0 ? errors[0] : cause);
}
