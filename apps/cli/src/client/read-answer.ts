/** What the console answered, or why that is no answer. */
import { Readable } from 'node:stream';
import { Problem } from '@nereid/api';
import { EXIT, ExitError, type ExitCode } from '../exit-code.ts';

/** All lanes of a large installation are some megabytes. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** A whole answer. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

export interface About {
  /** Whether the request names one thing, which may not be there; otherwise only somebody who may not see it finds nothing. */
  readonly isOfOne: boolean;
}

export async function readReply(response: Response, limit = BODY_LIMIT): Promise<Reply> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> = response.body ?? Readable.from([]);
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > limit)
      throw new ExitError(EXIT.notNow, `expected at most ${limit} bytes from ${originOf(response)}, found more`);
    pieces.push(piece);
  }
  return { response, text: Buffer.concat(pieces).toString() };
}

/** Returns the JSON of an answer. Throws an `ExitError` with a sentence for anything else. */
export function jsonOf({ response, text }: Reply, about: About): unknown {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  // Anything else comes from somebody between us and the console.
  if (type !== 'application/json' && type !== 'application/problem+json') {
    const found = type === '' ? 'an answer without content' : type;
    throw proxyError(response, `${found} (status ${response.status})`);
  }
  const found = parsed(response, text);
  if (response.ok) return found;
  throw problemError(response, found, about);
}

/** Sentences about what stands before the console, or in its place. */
export function proxyError(response: Response, found: string): ExitError {
  const { status, headers, url } = response;
  const origin = originOf(response);
  const location = headers.get('location') ?? '';
  if (status >= 300 && status < 400) {
    const to = URL.canParse(location, url) ? new URL(location, url).host : 'another place';
    return new ExitError(EXIT.notLoggedIn, `${origin} sends us to ${to}, as login proxies do; ${PROXY_HINT}`);
  }
  if ([401, 403, 407].includes(status))
    return new ExitError(EXIT.notLoggedIn, `${origin} refuses us before Nereid does, found ${found}; ${PROXY_HINT}`);
  const hint = status >= 500 ? 'what stands before the console cannot reach it: try again in a moment' : NOT_NEREID;
  return new ExitError(EXIT.notNow, `expected an answer of Nereid at ${origin}, found ${found}; ${hint}`);
}

const PROXY_HINT =
  'NEREID_PROXY_AUTHORIZATION is sent to such a proxy as Proxy-Authorization: "Bearer" and a token of yours for it';

const NOT_NEREID =
  'this may be the page of a login proxy (NEREID_PROXY_AUTHORIZATION), or another server: --console names the console';

function parsed(response: Response, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = `expected an answer of Nereid at ${originOf(response)}, found no JSON; try again in a moment`;
    throw new ExitError(EXIT.notNow, message, { cause });
  }
}

function problemError(response: Response, found: unknown, { isOfOne }: About): ExitError {
  const { status } = response;
  const problem = Problem.safeParse(found);
  const detail = problem.success ? problem.data.detail : `${originOf(response)} answered with status ${status}`;
  return new ExitError(exitCodeOf(status, isOfOne), detail);
}

function originOf({ url }: Response): string {
  return new URL(url).origin;
}

function exitCodeOf(status: number, isOfOne: boolean): ExitCode {
  if (status === 401) return EXIT.notLoggedIn;
  if (status === 404) return isOfOne ? EXIT.notFound : EXIT.notLoggedIn;
  if (status === 429 || status >= 500) return EXIT.notNow;
  return status === 403 || status === 409 ? EXIT.refused : EXIT.wrongUsage;
}
