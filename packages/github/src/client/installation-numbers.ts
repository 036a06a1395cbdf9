/**
 * Who uninstalls our App and installs it again gets an installation with another number. Messages and records of before still
 * have the old one, which GitHub never gives out again.
 */
import type { Repository } from '@nereid/contracts';
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import { isShutOut } from './failures.ts';

export interface Numbers {
  /** Makes a request with the number of the installation that acts in the repository, and repeats it with a newer one. */
  with<T>(repository: Repository, request: (number: number) => Promise<T>): Promise<T>;
}

/** While the App is not installed, or may do nothing, GitHub is asked no more often. */
const ASKED_AGAIN_AFTER_MS = 30_000;

/** A hundred bytes each. */
const NUMBERS_LIMIT = 5_000;

export function createNumbers(app: Pick<Octokit, 'request'>): Numbers {
  const newer = new LRUCache<string, number>({ max: NUMBERS_LIMIT });
  const asked = new LRUCache<string, Promise<number | undefined>>({ max: NUMBERS_LIMIT, ttl: ASKED_AGAIN_AFTER_MS });

  return {
    async with(repository, request) {
      const key = `${repository.installationId} ${repository.owner}/${repository.name}`.toLowerCase();
      const number = newer.get(key) ?? repository.installationId;
      try {
        return await request(number);
      } catch (error) {
        if (!isShutOut(error)) throw error;
        const answer = asked.get(key) ?? askNumber(app, repository);
        asked.set(key, answer);
        const found = await answer;
        if (found === undefined || found === number) throw error;
        newer.set(key, found);
        asked.delete(key);
        return request(found);
      }
    },
  };
}

/** Undefined when GitHub does not say. */
async function askNumber(
  app: Pick<Octokit, 'request'>,
  { owner, name: repo }: Repository,
): Promise<number | undefined> {
  try {
    const { data } = await app.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
    return data.id;
  } catch {
    return undefined;
  }
}
