import type { Repository } from '@nereid/domain/root';
import type { InstalledRepository, Repositories } from '@nereid/forge';
import type { Octokit } from '@octokit/core';
import { LRUCache } from 'lru-cache';
import type { Clients } from './client/clients.ts';
import { isNotFound } from './client/failures.ts';
import { inPages, PAGE_SIZE } from './client/pages.ts';

/** Somebody who may read a repository is asked for again and again, and the App is hardly ever installed again. */
const INSTALLATION_MS = 3_600_000;
const NO_INSTALLATION_MS = 5 * 60_000;

/** A hundred bytes each. */
const INSTALLATIONS_LIMIT = 5_000;

export function createInstallations(clients: Clients): Pick<Repositories, 'all' | 'allBeside' | 'installationOf'> {
  const known = new LRUCache<string, Promise<number | undefined>>({
    max: INSTALLATIONS_LIMIT,
    ttl: NO_INSTALLATION_MS,
  });
  return {
    installationOf(repository) {
      const key = `${repository.owner}/${repository.name}`.toLowerCase();
      const asked = known.get(key);
      if (asked !== undefined) return asked;
      const answer = askInstallation(clients, repository);
      known.set(key, answer);
      answer.then(
        (id) => id !== undefined && known.set(key, answer, { ttl: INSTALLATION_MS }),
        () => known.delete(key),
      );
      return answer;
    },
    async all() {
      const ids = await listIds(clients);
      const each: InstalledRepository[] = [];
      // One after the other: nobody waits for the last one, and each installation has limits of its own.
      for (const id of ids)
        each.push(...(await clients.askInstallation(id, LIST, (octokit) => listRepositories(octokit, id))));
      return each;
    },
    allBeside: (repository) =>
      clients.ask(repository, LIST, (octokit) => listRepositories(octokit, repository.installationId)),
  };
}

async function askInstallation(
  clients: Clients,
  { owner, name: repo }: Pick<Repository, 'owner' | 'name'>,
): Promise<number | undefined> {
  try {
    return await clients.askApp('GET installation of a repository', async (octokit) => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/installation', { owner, repo });
      return data.id;
    });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function listIds(clients: Clients): Promise<readonly number[]> {
  const all = await inPages((page) =>
    clients.askApp('GET installations', async (octokit) => {
      const { data } = await octokit.request('GET /app/installations', { per_page: PAGE_SIZE, page });
      return data;
    }),
  );
  return all.filter((installation) => installation.suspended_at === null).map(({ id }) => id);
}

const LIST = 'GET repositories of an installation';

async function listRepositories(octokit: Octokit, installationId: number): Promise<readonly InstalledRepository[]> {
  const all = await inPages(async (page) => {
    const { data } = await octokit.request('GET /installation/repositories', { per_page: PAGE_SIZE, page });
    return data.repositories;
  });
  return all
    .filter(({ archived }) => !archived)
    .map(({ owner, name, default_branch: defaultBranch }) => ({
      owner: owner.login,
      name,
      installationId,
      defaultBranch,
    }));
}
