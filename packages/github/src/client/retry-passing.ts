/**
 * Repeats a request whose failure passes: no answer, or one of 500 and above. An octokit plugin.
 *
 * GitHub may have done what it did not answer. So a POST is repeated only where twice is the same as once; the caller of another
 * one looks first what came of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Octokit } from '@octokit/core';
import { isServerAway, retryAfterOf } from './failures.ts';
import { conversationOf } from './limits/background.ts';

/** With waits that double from 200 ms, six seconds in all; of requests of which three in ten fail, one in a thousand fails so often. */
const RETRIES = 5;

/** Another token, the same reaction, a webhook that is known by its id. */
const REPEATABLE_POSTS = ['/access_tokens', '/reactions', '/attempts'];

interface RequestOptions {
  readonly method: string;
  readonly url: string;
  readonly request?: { readonly signal?: AbortSignal };
}

interface Patience {
  /** Each further wait is twice as long. */
  readonly firstWaitMs: number;
  /** No retry begins later than this after the first failure: each may take seconds to fail. */
  readonly forMs: number;
}

export function retryPassing({ firstWaitMs, forMs }: Patience) {
  return (octokit: Octokit): Record<string, never> => {
    octokit.hook.wrap('request', async (request, options) => {
      let until = Number.POSITIVE_INFINITY;
      for (let retry = 0; ; retry += 1) {
        try {
          return await request(options);
        } catch (error) {
          until = Math.min(until, performance.now() + forMs);
          const waitMs = firstWaitMs * 2 ** retry;
          const isOver = retry >= RETRIES || performance.now() + waitMs > until;
          if (isOver || !isPassing(error) || !isRepeatable(options)) throw error;
          await sleep(waitMs, undefined, { signal: options.request.signal }).catch(() => undefined);
          if (isGivenUp(options)) throw error;
        }
      }
    });
    return {};
  };
}

/** Where GitHub says how long it wants to be left alone, the caller waits. */
function isPassing(error: unknown): boolean {
  return isServerAway(error) && retryAfterOf(error) === undefined;
}

function isRepeatable({ method, url }: RequestOptions): boolean {
  return method !== 'POST' || REPEATABLE_POSTS.some((end) => url.endsWith(end));
}

function isGivenUp(options: RequestOptions): boolean {
  return options.request?.signal?.aborted === true || conversationOf(options)?.begin?.aborted === true;
}
