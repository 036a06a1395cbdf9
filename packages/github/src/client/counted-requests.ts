import type { Octokit, OctokitOptions } from '@octokit/core';
import { isRequestError, retryAfterOf } from './failures.ts';

/** One request as it went over the wire; retries count again. */
export interface CountedRequest {
  /** Method and path with its parameters' names: `GET /repos/{owner}/{repo}`. */
  readonly route: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly durationMs: number;
  /** The installation that asked; `app` for the App itself. */
  readonly installation: string;
  /** The rest of the installation's budget, and when it resets in epoch milliseconds; undefined unless GitHub said so. */
  readonly budget: { readonly remaining: number; readonly resetsAtMs: number } | undefined;
  /** GitHub wants to be left alone for a while. */
  readonly limited: boolean;
}

/** An octokit plugin that reports every request. It is the first plugin, so that it sits closest to the wire. */
export function countRequests(onRequest: (request: CountedRequest) => void) {
  return (octokit: Octokit, octokitOptions: OctokitOptions): Record<string, never> => {
    const installation = installationOf(octokitOptions);
    octokit.hook.wrap('request', async (request, options) => {
      const startedAt = performance.now();
      const report = (status: number, headers: Headers = {}, limited = false): void => {
        onRequest({
          route: `${options.method} ${options.url}`,
          status,
          durationMs: performance.now() - startedAt,
          installation,
          budget: budgetOf(headers),
          limited,
        });
      };
      try {
        const response = await request(options);
        report(response.status, response.headers);
        return response;
      } catch (error) {
        const isLimit = retryAfterOf(error) !== undefined;
        if (isRequestError(error) && error.response) report(error.status, error.response.headers, isLimit);
        else report(0);
        throw error;
      }
    });
    return {};
  };
}

type Headers = Readonly<Record<string, string | number | undefined>>;

function budgetOf(headers: Headers): CountedRequest['budget'] {
  const remaining = headers['x-ratelimit-remaining'];
  if (remaining === undefined) return undefined;
  return { remaining: Number(remaining), resetsAtMs: Number(headers['x-ratelimit-reset'] ?? 0) * 1_000 };
}

/** The App's client has no installation. */
export function installationOf({ auth }: OctokitOptions): string {
  const given: unknown = auth;
  return typeof given === 'object' && given !== null && 'installationId' in given
    ? String(given.installationId)
    : 'app';
}
