import type { Repository } from '@nereid/contracts';
import type { Clients } from './client/clients.ts';

export interface Repositories {
  defaultBranch(repository: Repository): Promise<string>;
  /** The last time that a branch of this name was pushed, merged into, created or deleted; undefined when GitHub knows of none. */
  lastMove(repository: Repository, branch: string): Promise<BranchMove | undefined>;
}

/** The commits are 40 hex digits, all zeros where there was no branch. */
export interface BranchMove {
  readonly before: string;
  readonly after: string;
  /** ISO 8601, to the second. */
  readonly at: string;
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

    lastMove({ installationId, owner, name: repo }, branch) {
      return clients.ask(installationId, 'GET activity', async (octokit) => {
        const ref = `refs/heads/${branch}`;
        const request = { owner, repo, ref, per_page: 1 };
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/activity', request);
        const [newest] = data;
        return newest && { before: newest.before, after: newest.after, at: newest.timestamp };
      });
    },
  };
}
