/**
 * Keeps GitHub's limits in the client of an installation. This is the outermost plugin: a request that waits here takes no
 * place from another.
 *
 * Once GitHub has said how long it wants to be left alone, no background request is sent until then. The few questions for
 * which a person waits are still asked, unless the whole budget is spent.
 *
 * Background requests may take only a part of the concurrent requests and of the points of a minute: a person who presses a
 * button never waits behind hundreds of check runs.
 */
import type { Octokit, OctokitOptions } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import { installationOf } from '../counted-requests.ts';
import { isRequestError, isServerAway, quietAfter, retryAfterOf } from '../failures.ts';
import { conversationOf } from './background.ts';
import { HeldBackError } from '../../errors.ts';
import { createHourlyLimit, type HourlyLimit } from './hourly-limit.ts';
import { createLine, type Line } from './line.ts';
import { READ_POINTS, WRITE_POINTS } from './points.ts';
import { ENVIRONMENT_WRITES_AN_HOUR, KEPT_FROM_LOOKS } from './shares.ts';
import type { LimitsSnapshot } from './turns.ts';

export interface InstallationLimits extends LimitsSnapshot {
  /** `app` for the App itself. */
  readonly installation: string;
}

/** The same as the limit of clients. */
const LINES_LIMIT = 200;

/** Of an installation. */
interface Kept {
  readonly line: Line;
  /** Of GitHub's list of deployments. */
  readonly listWrites: HourlyLimit;
}

/** An octokit plugin, and a snapshot of its limits. `listWritesAnHour`: to GitHub's list of deployments. */
export function createLimits(listWritesAnHour = ENVIRONMENT_WRITES_AN_HOUR) {
  const lines = new LRUCache<string, Kept>({ max: LINES_LIMIT });
  return {
    snapshot: (): readonly InstallationLimits[] =>
      [...lines].map(([installation, { line }]) => ({ installation, ...line.snapshot() })),

    plugin: (octokit: Octokit, options: OctokitOptions): Record<string, never> => {
      const installation = installationOf(options);
      const kept = lines.get(installation) ?? { line: createLine(), listWrites: createHourlyLimit(listWritesAnHour) };
      lines.set(installation, kept);
      keepLimits(octokit, kept);
      return {};
    },
  };
}

function keepLimits(octokit: Octokit, { line, listWrites }: Kept): void {
  /** By this machine's clock. */
  let spentUntil = 0;
  /** Until then, nothing is asked for people who only look: what is left of the hour's budget is kept from them. */
  let lowUntil = 0;

  octokit.hook.wrap('request', async (request, options) => {
    // Never held back: without a token nothing can be asked at all.
    if (options.url.endsWith('/access_tokens')) return request(options);
    const points = options.method === 'GET' ? READ_POINTS : WRITE_POINTS;
    const conversation = conversationOf(options);
    const isListed = conversation?.priority === 'environment' && options.method !== 'GET';
    const send = async (refund: () => void) => {
      if (isListed) listWrites.count();
      try {
        const response = await request(options);
        line.close(quietAfter(response.headers));
        lowUntil = isLow(response.headers) ? resetOf(response.headers) : 0;
        return response;
      } catch (error) {
        const quietMs = retryAfterOf(error) ?? 0;
        line.close(quietMs);
        if (isBudgetSpent(error)) spentUntil = Date.now() + quietMs;
        // GitHub does not count a request that its server did not do.
        if (isServerAway(error)) refund();
        throw error;
      }
    };

    if (conversation?.priority === 'look' && lowUntil > Date.now()) throw new HeldBackError(lowUntil - Date.now());
    if (isListed) listWrites.requireRoom();
    if (conversation !== undefined) return line.run({ ...conversation, points }, send);
    const waitMs = spentUntil - Date.now();
    if (waitMs > 0) throw new HeldBackError(waitMs);
    return send(line.spend(points));
  });
}

type Headers = Readonly<Record<string, string | number | undefined>>;

function isLow(headers: Headers): boolean {
  return Number(headers['x-ratelimit-remaining']) < Number(headers['x-ratelimit-limit']) * KEPT_FROM_LOOKS;
}

/** In milliseconds since 1970; budgets are of an hour. */
function resetOf(headers: Headers): number {
  const at = Number(headers['x-ratelimit-reset']) * 1_000;
  return Math.min(Number.isNaN(at) ? 0 : at, Date.now() + HOUR_MS);
}

const HOUR_MS = 3_600_000;

function isBudgetSpent(error: unknown): boolean {
  return (
    retryAfterOf(error) !== undefined &&
    isRequestError(error) &&
    error.response?.headers['x-ratelimit-remaining'] === '0'
  );
}
