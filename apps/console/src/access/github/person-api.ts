/** GitHub's API, as it answers to a person: what we ask with their own token. */
import type { z } from 'zod';
import { AccessUnknownError } from '../access-unknown.ts';

export interface PersonApi {
  /** Undefined where GitHub shows them nothing. Throws an `AccessUnknownError` when it does not say. */
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S> | undefined>;
}

/** GitHub answers within a second; a person waits. */
const TIMEOUT_MS = 10_000;

/** GitHub's outages take minutes; a page that is loaded again asks again. */
const RETRY_S = 10;

/** `apiUrl` is without a trailing slash. `beforeEach` may refuse, by throwing. */
export function personApi(apiUrl: string, token: string, beforeEach: () => Promise<void>): PersonApi {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'user-agent': 'nereid' };
  return {
    async get(path, schema) {
      await beforeEach();
      try {
        const response = await fetch(apiUrl + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (response.status === 200) return schema.parse(await response.json());
        await response.body?.cancel();
        if (showsNothing(response)) return undefined;
        throw new AccessUnknownError(`GitHub answers with status ${response.status}`, RETRY_S);
      } catch (cause) {
        if (cause instanceof AccessUnknownError) throw cause;
        throw new AccessUnknownError('GitHub does not answer', RETRY_S, { cause });
      }
    },
  };
}

/** 403 is an organisation that wants another login, 451 a repository that was taken down. */
function showsNothing({ status, headers }: Response): boolean {
  const isLimited = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  return status === 404 || status === 451 || (status === 403 && !isLimited);
}
