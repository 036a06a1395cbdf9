import type { Repository } from '@nereid/contracts';
import type { Clients } from './client/clients.ts';

export interface Repositories {
  defaultBranch(repository: Repository): Promise<string>;
}

export function createRepositories(clients: Clients): Repositories {
  return {
    defaultBranch(repository) {
      return clients.ask(repository.installationId, 'GET repository', async (octokit) => {
        const { data } = await octokit.request('GET /repos/{owner}/{repo}', {
          owner: repository.owner,
          repo: repository.name,
        });
        return data.default_branch;
      });
    },
  };
}
