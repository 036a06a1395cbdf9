/**
 * Repeated reads send the ETag of the last answer: a 304 costs none of the installation's budget.
 *
 * An octokit plugin. Each client has its own memory, because installations may see different things.
 */
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import { isRequestError } from './failures.ts';
import { conversationOf } from './limits/background.ts';

/** Permissions and pull requests of one installation in a busy hour, at a few KiB each. */
const REMEMBERED_LIMIT = 500;

type Answer = Awaited<ReturnType<Octokit['request']>>;

export function conditionalReads(octokit: Octokit): Record<string, never> {
  const remembered = new LRUCache<string, Answer>({ max: REMEMBERED_LIMIT });

  octokit.hook.wrap('request', async (request, options) => {
    // Who may read a repository is kept by whoever asks, and a list of a hundred people is large.
    if (options.method !== 'GET' || conversationOf(options)?.priority === 'look') return request(options);

    const { url } = octokit.request.endpoint.parse(options);
    const known = remembered.get(url);
    const etag = known?.headers.etag;
    try {
      // Every wrapper gets the same object, whatever the previous one passed on, so the object is changed in place.
      if (etag !== undefined) options.headers['if-none-match'] = etag;
      const response = await request(options);
      if (response.headers.etag !== undefined) remembered.set(url, response);
      return response;
    } catch (error) {
      if (known && isRequestError(error) && error.status === 304) return known;
      throw error;
    }
  });
  return {};
}
