import type { Repository } from '@nereid/contracts';
import type { Clients } from './client/clients.ts';

export interface Commits {
  /**
   * GitHub logins of the author and the committer of a revision; for a merge commit, also those of the heads that it merged.
   * People unknown to GitHub are left out. Throws `GitHubRefusedError` with status 422 when there is no such commit.
   */
  authors(repository: Repository, sha: string): Promise<readonly string[]>;
}

export function createCommits(clients: Clients): Commits {
  return {
    async authors(repository, sha) {
      const commit = await readCommit(clients, repository, sha);
      const merged = await Promise.all(commit.merged.map((parent) => readCommit(clients, repository, parent)));
      return [...new Set([commit, ...merged].flatMap(({ logins }) => logins))];
    },
  };
}

interface Commit {
  readonly logins: readonly string[];
  /** All parents but the first: the heads that a merge commit brought to its branch. */
  readonly merged: readonly string[];
}

function readCommit(clients: Clients, repository: Repository, sha: string): Promise<Commit> {
  return clients.ask(repository.installationId, 'GET commit', async (octokit) => {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}', {
      owner: repository.owner,
      repo: repository.name,
      ref: sha,
      // Only the people matter; a page of one file keeps the answer small.
      per_page: 1,
    });
    const [, ...merged] = data.parents;
    return {
      logins: [data.author, data.committer].flatMap(loginOf),
      merged: merged.map((parent) => parent.sha),
    };
  });
}

/** GitHub returns null, or an object without fields, if it knows nobody with the commit's email address. */
function loginOf(account: object | null): readonly string[] {
  return account !== null && 'login' in account && typeof account.login === 'string' ? [account.login] : [];
}
