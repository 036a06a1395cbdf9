/**
 * Calls of Google Cloud Storage's JSON API. Google's own client for objects takes twice the memory, and its retries and
 * timeouts cannot be bounded per call; only the library for credentials is Google's.
 */
import { attemptCall } from '../attempts.ts';
import type { CallLimits } from '../call-limits.ts';
import { isPassing, type Cloud } from '../cloud-failure.ts';
import type { GsOptions } from '../object-store.ts';
import { createGsCredentials } from './gs-credentials.ts';
import { answerError, GsAnswerError } from './gs-failure.ts';

const ENDPOINT = 'https://storage.googleapis.com';

export interface GsRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the address of the service. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Sends a request once. Throws `GsAnswerError` for statuses from 400, `GsCredentialsError`, and errors of the network. */
export type Send = (request: GsRequest) => Promise<Response>;

export interface GsClient {
  /** Calls, again where that may help, until `read` has what it wants of the answer. Throws like `Send`. */
  call<T>(request: GsRequest, read: (response: Response, controller: AbortController) => Promise<T>): Promise<T>;
  /** As `call`, for work that knows that it is not the first attempt: its number, from 1, is given. */
  attempt<T>(work: (send: Send, attempt: number, controller: AbortController) => Promise<T>): Promise<T>;
}

export function createGsClient(cloud: Cloud, { endpoint, emulator }: GsOptions, limits: CallLimits): GsClient {
  const base = (emulator ?? endpoint ?? ENDPOINT).replace(/\/+$/, '');
  const credentials = emulator === undefined ? createGsCredentials() : undefined;

  async function send(request: GsRequest, { signal }: AbortController): Promise<Response> {
    const { method = 'GET', path, query = {}, headers, body } = request;
    const url = new URL(`${base}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method,
      headers: { ...(await credentials?.headers()), ...headers },
      // Node's type of a body takes no bytes of a shared buffer, which nothing here has.
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      signal,
      // 308 is an answer here, and no other redirect is expected: a token goes to no other host.
      redirect: 'manual',
    });
    if (response.status < 400) return response;
    if (response.status === 401) credentials?.forget();
    throw await answerError(response);
  }

  const attempt: GsClient['attempt'] = (work) =>
    attemptCall(
      limits,
      (error) => isPassing(cloud, error) || (error instanceof GsAnswerError && error.status === 401),
      (controller, number) => work((request) => send(request, controller), number, controller),
    );

  return {
    attempt,
    call: (request, read) =>
      attempt(async (sendOnce, _number, controller) => read(await sendOnce(request), controller)),
  };
}
