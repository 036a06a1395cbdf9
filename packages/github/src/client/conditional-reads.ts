/**
 * Reads that repeat are asked with the ETag of the last answer: a 304 costs nothing of the installation's budget.
 *
 * An octokit plugin; each client has its own memory, because what an installation may see is its own.
 */
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import { isRequestError } from './failures.ts';

/** Permissions and pull requests of one installation in a busy hour, at a few KiB each. */
const REMEMBERED_LIMIT = 500;

type Answer = Awaited<ReturnType<Octokit['request']>>;

export function conditionalReads(octokit: Octokit): Record<string, never> {
  const remembered = new LRUCache<string, Answer>({ max: REMEMBERED_LIMIT });

  octokit.hook.wrap('request', async (request, options) => {
    if (options.method !== 'GET') return request(options);

    const { url } = octokit.request.endpoint.parse(options);
    const known = remembered.get(url);
    const etag = known?.headers.etag;
    try {
      // Every wrapper is given the same object, whatever the one before passed on; so it is changed in place.
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
