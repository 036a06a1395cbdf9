import type { Repository } from '@nereid/domain/root';
import type { Review } from './approvals.ts';
import type { Clients } from '../client/clients.ts';
import { inPages, PAGE_SIZE } from '../client/pages.ts';

export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly draft: boolean;
  readonly title: string;
  /** GitHub login. A deleted account is `ghost`, as on GitHub's pages. */
  readonly author: string;
  /** GitHub's id of the author; absent for a deleted account. */
  readonly authorId?: number | undefined;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly headSha: string;
  readonly headBranch: string;
  readonly baseSha: string;
  readonly baseBranch: string;
  /** Of the repository. */
  readonly defaultBranch: string;
  /** Whether the head is in another repository, or in one that is gone. */
  readonly fromFork: boolean;
  /** Null while GitHub has not worked it out yet. */
  readonly mergeable: boolean | null;
}

/** What a list of pull requests says of one. */
export type ListedPullRequest = Pick<PullRequest, 'number' | 'draft' | 'updatedAt' | 'headSha' | 'fromFork'>;

export interface PullRequests {
  /** Throws `GitHubRefusedError` with status 404 when there is no pull request with this number. */
  get(repository: Repository, number: number): Promise<PullRequest>;
  /** The open ones that are to be merged into the branch, or into any; those that were updated last first; at most 1,000. */
  open(repository: Repository, baseBranch: string | undefined): Promise<readonly ListedPullRequest[]>;
  /** Oldest first, at most `REVIEWS_LIMIT`. */
  reviews(repository: Repository, number: number): Promise<readonly Review[]>;
}

export function createPullRequests(clients: Clients): PullRequests {
  return {
    get(repository, number) {
      return clients.ask(repository, 'GET pull request', async (octokit) => {
        const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
          owner: repository.owner,
          repo: repository.name,
          pull_number: number,
        });
        return {
          number: data.number,
          state: data.state,
          merged: data.merged,
          draft: data.draft ?? false,
          title: data.title,
          author: login(data.user),
          authorId: idOf(data.user),
          updatedAt: data.updated_at,
          headSha: data.head.sha,
          headBranch: data.head.ref,
          baseSha: data.base.sha,
          baseBranch: data.base.ref,
          defaultBranch: data.base.repo.default_branch,
          fromFork: isAnother(data.head.repo, data.base.repo),
          mergeable: data.mergeable,
        };
      });
    },

    open(repository, base) {
      const { owner, name: repo } = repository;
      return clients.ask(repository, 'GET pull requests', (octokit) =>
        inPages(async (page) => {
          const into = base !== undefined && { base };
          const order = { sort: 'updated', direction: 'desc' } as const;
          const request = { owner, repo, state: 'open', ...into, ...order, per_page: PAGE_SIZE, page } as const;
          const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls', request);
          return data.map((listed) => ({
            number: listed.number,
            draft: listed.draft ?? false,
            updatedAt: listed.updated_at,
            headSha: listed.head.sha,
            fromFork: isAnother(listed.head.repo, listed.base.repo),
          }));
        }),
      );
    },

    reviews(repository, number) {
      return clients.ask(repository, 'GET reviews', (octokit) =>
        inPages(async (page) => {
          const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
            owner: repository.owner,
            repo: repository.name,
            pull_number: number,
            per_page: PAGE_SIZE,
            page,
          });
          return data.map(({ user, state, commit_id: sha }) => ({
            author: login(user),
            authorId: idOf(user),
            state,
            sha,
          }));
        }),
      );
    },
  };
}

/** GitHub's API description promises a user and a head repository; both are null once deleted. */
function login(user: { readonly login: string } | null): string {
  return user?.login ?? 'ghost';
}

function idOf(user: { readonly id: number | bigint } | null): number | undefined {
  return user === null ? undefined : Number(user.id);
}

export function isAnother(
  head: { readonly id: number | bigint } | null,
  base: { readonly id: number | bigint },
): boolean {
  return head?.id !== base.id;
}
