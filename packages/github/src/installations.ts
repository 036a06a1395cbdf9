import type { Repository } from '@nereid/contracts';
import type { Clients } from './client/clients.ts';
import { inPages, PAGE_SIZE } from './client/pages.ts';

export interface InstalledRepository extends Repository {
  readonly defaultBranch: string;
}

export interface Installations {
  /** All unarchived repositories of the App's installations that are not suspended; at most 1,000 of each installation. */
  repositories(): Promise<readonly InstalledRepository[]>;
  /** Those of one installation. */
  repositoriesOf(installationId: number): Promise<readonly InstalledRepository[]>;
}

export function createInstallations(clients: Clients): Installations {
  return {
    async repositories() {
      const ids = await listIds(clients);
      const each: InstalledRepository[] = [];
      // One after the other: nobody waits for the last one, and each installation has limits of its own.
      for (const id of ids) each.push(...(await repositoriesOf(clients, id)));
      return each;
    },
    repositoriesOf: (installationId) => repositoriesOf(clients, installationId),
  };
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

async function repositoriesOf(clients: Clients, installationId: number): Promise<readonly InstalledRepository[]> {
  const all = await inPages((page) =>
    clients.ask(installationId, 'GET repositories of an installation', async (octokit) => {
      const { data } = await octokit.request('GET /installation/repositories', { per_page: PAGE_SIZE, page });
      return data.repositories;
    }),
  );
  return all
    .filter(({ archived }) => !archived)
    .map(({ owner, name, default_branch: defaultBranch }) => ({
      owner: owner.login,
      name,
      installationId,
      defaultBranch,
    }));
}
