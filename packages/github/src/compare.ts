/** Compares revisions by GitHub's view of their history. */
import type { Commits } from '@nereid/forge';
import { LRUCache } from 'lru-cache';
import type { Comparison } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { Clients } from './client/clients.ts';
import { isNotFound } from './client/failures.ts';

/** Enough for all lanes of a few merges; each comparison takes some hundred bytes. */
const REMEMBERED = 1_000;

/** Limits how long a repository that was deleted and recreated under its old name gets old answers. */
const REMEMBERED_MS = 10 * 60_000;

const SHA = /^[0-9a-f]{40}$/;

/**
 * Compares `head` with `base`, each a commit or a branch. A revision that GitHub does not have (any more) counts as diverged.
 * Commits never change, so lanes that compare the same two commits, at the same time or soon after, share one answer.
 */
export function createCompare(clients: Clients): Commits['compare'] {
  const asked = new LRUCache<string, Promise<Comparison>>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  return async (repository, base, head) => {
    const { installationId, owner, name } = repository;
    const key = JSON.stringify([installationId, owner, name, base, head]);
    const known = asked.get(key);
    const answer = known ?? ask(clients, repository, base, head);
    if (known === undefined && SHA.test(base) && SHA.test(head)) asked.set(key, answer);
    try {
      return await answer;
    } catch (error) {
      if (asked.get(key) === answer) asked.delete(key);
      if (isNotFound(error)) return 'diverged';
      throw error;
    }
  };
}

function ask(clients: Clients, repository: Repository, base: string, head: string) {
  const { owner, name: repo } = repository;
  return clients.ask(repository, 'GET comparison', async (octokit) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      owner,
      repo,
      basehead: `${base}...${head}`,
      // Only the status matters; a page of one commit keeps the answer small.
      per_page: 1,
    });
    return data.status;
  });
}
