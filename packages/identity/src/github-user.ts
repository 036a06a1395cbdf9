import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ProviderUnavailableError } from './errors.ts';
import type { Identified } from './identity.ts';

/** GitHub answers within a second; a person waits. */
const TIMEOUT_MS = 10_000;

/** A person who opens a page causes several questions at once; one who was logged out everywhere is, a moment later. */
const FRESH_MS = 20_000;

/** A hundred bytes each. */
const ASKED_AT_ONCE = 5_000;

export interface GitHubUsersOptions {
  /** The App with which a token has to be made to prove anything; absent: whoever passes on a token made it with the App. */
  readonly appId?: number | undefined;
  /** For tests, in milliseconds. */
  readonly clock?: { readonly now: () => number } | undefined;
}

/** Asks GitHub whose access token this is. */
export function createGitHubUsers(
  apiUrl: string,
  { appId, clock = performance }: GitHubUsersOptions = {},
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
    const answer = identifyUser(apiUrl, token, appId);
    known.set(key, answer);
    answer.catch(() => known.delete(key));
    return answer;
  };
}

async function identifyUser(apiUrl: string, token: string, appId: number | undefined): Promise<Identified> {
  const [user, whyNot] = await Promise.all([
    askUser(apiUrl, token),
    appId === undefined ? undefined : whyNotOfApp(apiUrl, token, appId),
  ]);
  return user.kind === 'nobody' || whyNot === undefined ? user : { kind: 'nobody', why: whyNot };
}

async function askUser(apiUrl: string, token: string): Promise<Identified> {
  const response = await ask(`${apiUrl}/user`, token);
  if (response.status === 401) return { kind: 'nobody', why: ENDED };
  const { login, id } = (response.ok ? await bodyOf(response) : {}) as { login?: unknown; id?: unknown }; // Checked below.
  if (typeof login !== 'string' || typeof id !== 'number')
    throw new ProviderUnavailableError('GitHub', `status ${response.status}`);
  return { kind: 'person', person: { login, id } };
}

const ENDED = 'GitHub does not know this login any more: log in again';

/**
 * Somebody who runs another App or program has tokens of the people who use it, so a token proves who somebody is only to the App with which
 * it was made. GitHub lists the installations of that App alone, to nobody but an App.
 */
async function whyNotOfApp(apiUrl: string, token: string, appId: number): Promise<string | undefined> {
  const response = await ask(`${apiUrl}/user/installations?per_page=1`, token);
  if (response.status === 401) return ENDED;
  if (response.status === 403 && !isLimited(response)) return madeElsewhere(appId);
  const { installations } = (response.ok ? await bodyOf(response) : {}) as { installations?: unknown }; // Checked below.
  if (!Array.isArray(installations)) throw new ProviderUnavailableError('GitHub', `status ${response.status}`);
  const [first] = installations as readonly unknown[];
  if (first === undefined) return noInstallation(appId);
  return (Object(first) as { app_id?: unknown }).app_id === appId ? undefined : madeElsewhere(appId);
}

/** GitHub says 403 as well when a person asked too often. */
function isLimited({ headers }: Response): boolean {
  return headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
}

function madeElsewhere(appId: number): string {
  return `this login was made with another program than the GitHub App ${appId}: log in to the console again`;
}

function noInstallation(appId: number): string {
  return `GitHub says that you have access to no repository in which the GitHub App ${appId} is installed: ask an owner of one to add you to it`;
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
