/**
 * GitHub's limits, as the client of an installation keeps them. The outermost of the plugins: what waits here takes no
 * place from anybody.
 *
 * Once GitHub has said how long it wants to be left alone, nothing that can wait is sent until then. The few questions for
 * which a person waits are still asked; only where the whole budget is spent nothing is.
 *
 * What nobody waits for takes a part only of what may be asked at once and within a minute: whoever presses a button is
 * never behind hundreds of check runs.
 */
import type { Octokit } from '@octokit/core';
import { backgroundMark } from './background.ts';
import { isRequestError, retryAfterOf } from '../failures.ts';
import { HeldBackError } from './held-back.ts';
import { createPlaces } from './places.ts';
import { createPoints, READ_POINTS, WRITE_POINTS } from './points.ts';

/** Of the ten at once of an installation: four are always left for people. */
const BACKGROUND_PLACES = 6;

/** Of GitHub's 900 points a minute; a hundred are left for people: their questions are reads. */
const BACKGROUND_POINTS = 800;

/** An octokit plugin. */
export function keepLimits(octokit: Octokit): Record<string, never> {
  const places = createPlaces(BACKGROUND_PLACES);
  const spent = createPoints();
  /** By this machine's clock. */
  let limitedUntil = 0;
  let spentUntil = 0;

  octokit.hook.wrap('request', async (request, options) => {
    // Without a token nothing can be asked at all.
    if (options.url.endsWith('/access_tokens')) return request(options);
    const points = options.method === 'GET' ? READ_POINTS : WRITE_POINTS;
    const send = async (waitMs: number) => {
      if (waitMs > 0) throw new HeldBackError(waitMs);
      const takeBack = spent.spend(points);
      try {
        return await request(options);
      } catch (error) {
        const until = Date.now() + (retryAfterOf(error) ?? 0);
        limitedUntil = Math.max(limitedUntil, until);
        if (isBudgetSpent(error)) spentUntil = until;
        if (isServerAway(error)) takeBack();
        throw error;
      }
    };

    const background = backgroundMark(options);
    if (background === undefined) return send(spentUntil - Date.now());
    return places.run(background.begin, () =>
      send(Math.max(limitedUntil - Date.now(), spent.waitMs(points, BACKGROUND_POINTS))),
    );
  });
  return {};
}

function isBudgetSpent(error: unknown): boolean {
  return (
    retryAfterOf(error) !== undefined &&
    isRequestError(error) &&
    error.response?.headers['x-ratelimit-remaining'] === '0'
  );
}

/** What a server did not do it does not count. */
function isServerAway(error: unknown): boolean {
  return isRequestError(error) && (error.response === undefined || error.status >= 500);
}
