/** Requests to servers of Git LFS, and how far their redirects are followed. */
import { RepositoryUnreachableError } from '../errors.ts';

export interface LfsRepository {
  /** `owner/name`. */
  readonly path: string;
  /** Ends in a slash. */
  readonly gitUrl: URL;
  /** The value of the Authorization header. A secret. */
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

type RequestHeaders = Readonly<Record<string, string>>;

/** A redirect is refused: it would take the credentials to another server. */
export async function ask(path: string, url: URL, init: RequestInit): Promise<Response> {
  return successful(path, await send(path, url, init));
}

/** A storage redirects once, to a part of itself that is near; more than a few are a loop. */
const REDIRECT_LIMIT = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Our own token goes to the server of the repository alone, and not beside one that the answer brings. A redirect to another
 * server is followed without any of the headers.
 */
export async function download(
  { path, gitUrl, authorization, signal }: LfsRepository,
  place: { readonly url: URL; readonly headers: RequestHeaders },
): Promise<Response> {
  let { url, headers } = place;
  const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (authorization !== undefined && url.origin === gitUrl.origin && !hasToken) headers = { ...headers, authorization };
  for (let followed = 0; followed <= REDIRECT_LIMIT; followed += 1) {
    const response = await send(path, url, { headers, signal });
    const target = targetOf(response, url);
    if (target === undefined) return successful(path, response);
    await response.body?.cancel();
    if (!isSafe(target, gitUrl)) throw refused(path, `a redirect of Git LFS to ${target.origin}, which is not https`);
    if (target.origin !== url.origin) headers = {};
    url = target;
  }
  throw refused(path, `more than ${REDIRECT_LIMIT} redirects of Git LFS`);
}

/** Whether something may be downloaded from there. */
export function isSafe(url: URL, gitUrl: URL): boolean {
  return url.protocol === 'https:' || url.origin === gitUrl.origin;
}

function targetOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = REDIRECTS.has(status) ? headers.get('location') : null;
  return location === null ? undefined : (URL.parse(location, from.href) ?? undefined);
}

async function send(path: string, url: URL, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw new RepositoryUnreachableError(path, 'no answer of Git LFS', { cause });
  });
}

async function successful(path: string, response: Response): Promise<Response> {
  if (response.ok) return response;
  await response.body?.cancel();
  const isRefused = response.status < 500;
  throw new RepositoryUnreachableError(path, `status ${response.status} of Git LFS`, { isRefused });
}

function refused(path: string, found: string): RepositoryUnreachableError {
  return new RepositoryUnreachableError(path, found, { isRefused: true });
}
