/**
 * One client for each installation of our App.
 *
 * The plugins wrap each other, the last one outermost: limits hold requests back, throttling bounds concurrent requests and
 * waits out short limits, retry repeats requests that a server error or a lost connection broke, conditional reads save
 * budget, and counting sees every request that goes over the wire.
 */
import { App } from '@octokit/app';
import { Octokit, type OctokitOptions } from '@octokit/core';
import { throttling } from '@octokit/plugin-throttling';
import { LRUCache } from 'lru-cache';
import { createBoundedFetch } from './bounded-fetch.ts';
import { conditionalReads } from './conditional-reads.ts';
import { countRequests, installationOf, type CountedRequest } from './counted-requests.ts';
import type { Repository } from '@nereid/domain/root';
import { failureOf } from './failures.ts';
import { createNumbers } from './installation-numbers.ts';
import { createLimits, type InstallationLimits } from './limits/keep-limits.ts';
import { createThrottle } from './limits/throttle.ts';
import { retryPassing } from './retry-passing.ts';

export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

export interface ClientOptions {
  /** The App's number; the client id is not enough, because check runs are filtered by it. */
  readonly appId: number;
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string;
  /** `https://api.github.com`, or `https://<host>/api/v3` of an Enterprise Server. No trailing slash. */
  readonly apiUrl: string;
  readonly log?: Log;
  readonly onRequest?: (request: CountedRequest) => void;
  /**
   * Of one attempt, including its body. Default 12 s: GitHub itself gives up on a request after ten, so a request that was
   * not answered by then is not done later either.
   */
  readonly timeoutMs?: number;
  /** The first wait before a retry; each further one is twice as long. Default 200 ms. */
  readonly retryBaseMs?: number;
  /** No retry begins later than this after the first failure. Default 10 s; a longer outage belongs to the caller. */
  readonly retryForMs?: number;
}

/** The way to GitHub for the rest of this package. */
export interface Clients {
  /**
   * Runs one conversation with GitHub as the installation that acts in the repository. It is repeated when the App turns out to
   * have been installed again. Throws one of our errors: unavailable or refused.
   */
  ask<T>(repository: Repository, what: string, conversation: (octokit: Octokit) => Promise<T>): Promise<T>;
  /** The same as the installation with this number. */
  askInstallation<T>(number: number, what: string, conversation: (octokit: Octokit) => Promise<T>): Promise<T>;
  /** The same with a request that needs no more than the installation's number. */
  withNumber<T>(repository: Repository, what: string, request: (number: number) => Promise<T>): Promise<T>;
  /** The same as the App itself, which sees its installations and its webhook. */
  askApp<T>(what: string, conversation: (octokit: Octokit) => Promise<T>): Promise<T>;
  /** Authentication as the App itself, for installation tokens. */
  readonly app: App;
  /** For each installation that has made a request: how many requests wait, and how many points are left. */
  readonly limits: () => readonly InstallationLimits[];
  /** The wait before the caller's own retries of requests that must not simply be repeated. */
  readonly retryBaseMs: number;
}

/** Many more installations than one company has; each client takes some KiB, and its ETags. */
const CLIENTS_LIMIT = 200;

export function createClients(options: ClientOptions): Clients {
  const { retryBaseMs = 200, retryForMs = 10_000 } = options;
  const limits = createLimits();
  const app = new App({
    appId: options.appId,
    privateKey: options.privateKey,
    Octokit: octokitClass(options, retryPassing({ firstWaitMs: retryBaseMs, forMs: retryForMs }), limits.plugin),
    log: options.log ?? SILENT,
  });
  const clients = new LRUCache<number, Promise<Octokit>>({ max: CLIENTS_LIMIT });
  const numbers = createNumbers(app.octokit);
  const withNumber: Clients['withNumber'] = (repository, what, request) =>
    orFailure(what, () => numbers.with(repository, request));

  return {
    app,
    limits: limits.snapshot,
    retryBaseMs,
    withNumber,
    ask: (repository, what, conversation) =>
      withNumber(repository, what, async (number) => conversation(await clientOf(app, clients, number))),
    askInstallation: (number, what, conversation) =>
      orFailure(what, async () => conversation(await clientOf(app, clients, number))),
    askApp: (what, conversation) => orFailure(what, () => conversation(app.octokit)),
  };
}

async function orFailure<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw failureOf(what, error);
  }
}

type LimitsPlugin = ReturnType<typeof createLimits>['plugin'];
type RetryPlugin = ReturnType<typeof retryPassing>;

function octokitClass(options: ClientOptions, retry: RetryPlugin, keepLimits: LimitsPlugin): typeof Octokit {
  const throttle = createThrottle();
  const counting = countRequests(options.onRequest ?? (() => undefined));
  return Octokit.plugin(counting, conditionalReads, retry, throttling, keepLimits).defaults(
    (given: OctokitOptions): OctokitOptions => ({
      ...given,
      baseUrl: options.apiUrl,
      userAgent: 'nereid',
      log: options.log ?? SILENT,
      request: { fetch: createBoundedFetch(options.timeoutMs ?? 12_000) },
      throttle: throttle(installationOf(given)),
    }),
  );
}

function clientOf(app: App, clients: LRUCache<number, Promise<Octokit>>, installationId: number): Promise<Octokit> {
  const known = clients.get(installationId);
  if (known) return known;

  const client = app.getInstallationOctokit(installationId);
  clients.set(installationId, client);
  return client;
}

const nothing = (): void => undefined;
export const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
