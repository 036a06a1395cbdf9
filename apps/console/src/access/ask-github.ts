/** Asks GitHub with the person's own token whether they can read a repository. */
import pMap from 'p-map';
import { AccessUnknownError } from './access-unknown.ts';
import type { AskAccess, Named } from './repository-access.ts';

/** GitHub answers within a second; a person waits. */
const TIMEOUT_MS = 10_000;

/** Of one person; GitHub asks for less than a hundred at once. */
const AT_ONCE = 10;

/** GitHub's outages take minutes; a page that is loaded again asks again. */
const RETRY_S = 10;

export function createAskGitHub(apiUrl: string): AskAccess {
  return async ({ proof }, repositories) => {
    if (proof.mode !== 'github') throw new Error('expected a person who logged in with GitHub, found another login');
    return pMap(repositories, (repository) => mayRead(apiUrl, proof.token, repository), { concurrency: AT_ONCE });
  };
}

/** A repository that was renamed answers under its new name. */
async function mayRead(apiUrl: string, token: string, { owner, name }: Named): Promise<boolean> {
  const url = `${apiUrl}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const { status, headers } = await ask(url, token);
  if (status === 200) return true;
  const isLimited = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  // 403 is an organisation that wants another login, 451 a repository that was taken down.
  if (status === 404 || status === 451 || (status === 403 && !isLimited)) return false;
  throw new AccessUnknownError(`GitHub answers with status ${status}`, RETRY_S);
}

async function ask(url: string, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'nereid' };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response;
  } catch (cause) {
    throw new AccessUnknownError('GitHub does not answer', RETRY_S, { cause });
  }
}
