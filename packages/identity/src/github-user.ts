import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ProviderUnavailableError } from './errors.ts';
import type { Identified } from './identify.ts';

/** GitHub answers within a second; a person waits. */
const TIMEOUT_MS = 10_000;

/** A person who opens a page causes several questions at once; one who was logged out everywhere is, a moment later. */
const FRESH_MS = 20_000;

/** A hundred bytes each. */
const ASKED_AT_ONCE = 5_000;

/** Asks GitHub whose access token this is. `clock` is for tests, in milliseconds. */
export function createGitHubUsers(
  apiUrl: string,
  clock: { readonly now: () => number } = performance,
): (token: string) => Promise<Identified> {
  const known = new LRUCache<string, Promise<Identified>>({
    max: ASKED_AT_ONCE,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: clock,
  });
  return (token) => {
    const key = createHash('sha256').update(token).digest('hex');
    const asked = known.get(key);
    if (asked !== undefined) return asked;
    const answer = askUser(apiUrl, token);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer;
  };
}

async function askUser(apiUrl: string, token: string): Promise<Identified> {
  const response = await ask(`${apiUrl}/user`, token);
  if (response.status === 401) return { kind: 'nobody', why: 'GitHub does not know this login any more: log in again' };
  const { login, id } = (response.ok ? await bodyOf(response) : {}) as { login?: unknown; id?: unknown }; // Checked below.
  if (typeof login !== 'string' || typeof id !== 'number')
    throw new ProviderUnavailableError('GitHub', `status ${response.status}`);
  return { kind: 'person', person: { login, id } };
}

async function ask(url: string, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'nereid' };
  try {
    return await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new ProviderUnavailableError('GitHub', 'no answer', { cause });
  }
}

async function bodyOf(response: Response): Promise<object> {
  try {
    return Object(await response.json()) as object;
  } catch (cause) {
    throw new ProviderUnavailableError('GitHub', 'an answer that breaks off', { cause });
  }
}
