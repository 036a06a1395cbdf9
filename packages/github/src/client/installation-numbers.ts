/**
 * An App that is uninstalled and installed again gets a new number for its installation. Earlier messages and records keep the
 * old one, which GitHub never gives out again.
 */
import type { Repository } from '@nereid/domain/root';
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import { isShutOut } from './failures.ts';

export interface Numbers {
  /** Makes a request with the number of the installation that acts in the repository, and repeats it with a newer one. */
  with<T>(repository: Repository, request: (number: number) => Promise<T>): Promise<T>;
}

/** In milliseconds; for tests. */
interface Clock {
  now(): number;
}

/** While the App is not installed, or may do nothing, GitHub is asked no more often. */
const ASKED_AGAIN_AFTER_MS = 30_000;

/** A hundred bytes each. */
const NUMBERS_LIMIT = 5_000;

export function createNumbers(app: Pick<Octokit, 'request'>, clock: Clock = performance): Numbers {
  const newer = new LRUCache<string, number>({ max: NUMBERS_LIMIT });
  const asked = new LRUCache<string, Promise<number | undefined>>({
    max: NUMBERS_LIMIT,
    ttl: ASKED_AGAIN_AFTER_MS,
    ttlResolution: 0,
    perf: clock,
  });

  return {
    async with(repository, request) {
      const key = `${repository.installationId} ${repository.owner}/${repository.name}`.toLowerCase();
      const number = newer.get(key) ?? repository.installationId;
      try {
        return await request(number);
      } catch (error) {
        if (!isShutOut(error)) throw error;
        const known = asked.get(key);
        const answer = known ?? askNumber(app, repository);
        // Set again, it would never grow old while requests fail.
        if (known === undefined) asked.set(key, answer);
        const found = await answer;
        if (found === undefined || found === number) throw error;
        newer.set(key, found);
        asked.delete(key);
        return request(found);
      }
    },
  };
}

/** Undefined when GitHub does not say, or says it of another owner, to whom the repository was transferred. */
async function askNumber(
  app: Pick<Octokit, 'request'>,
  { owner, name: repo }: Repository,
): Promise<number | undefined> {
  try {
    const { data } = await app.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
    const owns = data.account && 'login' in data.account && data.account.login.toLowerCase() === owner.toLowerCase();
    return owns ? data.id : undefined;
  } catch {
    return undefined;
  }
}
