import type { Octokit } from '@octokit/core';
import { isRequestError } from './failures.ts';

/** One request as it went over the wire; retries count again. */
export interface CountedRequest {
  /** Method and path with its parameters' names: `GET /repos/{owner}/{repo}`. */
  readonly route: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly durationMs: number;
  /** What is left of the installation's budget, when GitHub said so. */
  readonly remaining: number | undefined;
}

/** An octokit plugin that reports every request. The first of the plugins, so that it sits closest to the wire. */
export function countRequests(onRequest: (request: CountedRequest) => void) {
  return (octokit: Octokit): Record<string, never> => {
    octokit.hook.wrap('request', async (request, options) => {
      const startedAt = performance.now();
      const report = (status: number, headers: Headers = {}): void => {
        onRequest({
          route: `${options.method} ${options.url}`,
          status,
          durationMs: performance.now() - startedAt,
          remaining: remainingOf(headers),
        });
      };
      try {
        const response = await request(options);
        report(response.status, response.headers);
        return response;
      } catch (error) {
        if (isRequestError(error) && error.response) report(error.status, error.response.headers);
        else report(0);
        throw error;
      }
    });
    return {};
  };
}

type Headers = Readonly<Record<string, string | number | undefined>>;

function remainingOf(headers: Headers): number | undefined {
  const remaining = headers['x-ratelimit-remaining'];
  return remaining === undefined ? undefined : Number(remaining);
}
