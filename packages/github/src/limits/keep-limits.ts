/**
 * GitHub's limits, as the client of an installation keeps them. The outermost of the plugins: what waits here takes no
 * place from anybody.
 *
 * Once GitHub has said how long it wants to be left alone, nothing is sent until then. A limit that a write met is taken
 * for one of writes: reads, which say who may press what, go on.
 *
 * What nobody waits for takes a part only of what may be asked at once and within a minute: whoever presses a button is
 * never behind hundreds of check runs.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Octokit } from '@octokit/core';
import { backgroundMark } from './background.ts';
import { isRequestError, retryAfterOf } from '../failures.ts';
import { HeldBackError } from './held-back.ts';
import { createPlaces } from './places.ts';
import { createPoints, READ_POINTS, WRITE_POINTS } from './points.ts';
import { PATIENCE_SECONDS } from './throttle.ts';

/** Of the ten at once of an installation: four are always left for people. */
const BACKGROUND_PLACES = 6;

/** Of GitHub's 900 points a minute; a hundred are left for people: their questions are reads. */
const BACKGROUND_POINTS = 800;

type Kind = 'read' | 'write';

/** An octokit plugin. */
export function keepLimits(octokit: Octokit): Record<string, never> {
  const places = createPlaces(BACKGROUND_PLACES);
  const spent = createPoints();
  /** Until when GitHub wants to hear nothing of the kind, by this machine's clock. */
  const closedUntil: Record<Kind, number> = { read: 0, write: 0 };

  octokit.hook.wrap('request', async (request, options) => {
    // Without a token nothing can be asked at all.
    if (options.url.endsWith('/access_tokens')) return request(options);
    const kind: Kind = options.method === 'GET' ? 'read' : 'write';
    const points = kind === 'read' ? READ_POINTS : WRITE_POINTS;
    const send = async () => {
      const takeBack = spent.spend(points);
      try {
        return await request(options);
      } catch (error) {
        for (const each of closedBy(kind, error)) closedUntil[each] = Date.now() + (retryAfterOf(error) ?? 0);
        if (isServerAway(error)) takeBack();
        throw error;
      }
    };

    const background = backgroundMark(options);
    if (background === undefined) {
      const waitMs = closedUntil[kind] - Date.now();
      if (waitMs > PATIENCE_SECONDS * 1_000) throw new HeldBackError(waitMs);
      if (waitMs > 0) await delay(waitMs);
      return send();
    }
    return places.run(background.begin, async () => {
      const waitMs = Math.max(closedUntil[kind] - Date.now(), spent.waitMs(points, BACKGROUND_POINTS));
      if (waitMs > 0) throw new HeldBackError(waitMs);
      return send();
    });
  });
  return {};
}

/** What a failed request closes. Where the whole budget is spent, or reads are limited too, it is everything. */
function closedBy(kind: Kind, error: unknown): readonly Kind[] {
  if (!isRequestError(error) || retryAfterOf(error) === undefined) return [];
  const isBudgetSpent = error.response?.headers['x-ratelimit-remaining'] === '0';
  return kind === 'write' && !isBudgetSpent ? ['write'] : ['read', 'write'];
}

/** What a server did not do it does not count. */
function isServerAway(error: unknown): boolean {
  return isRequestError(error) && (error.response === undefined || error.status >= 500);
}
