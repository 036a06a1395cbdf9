import type { Approvals, PullRequests, Review } from '@nereid/forge';
import type { Clients } from '../client/clients.ts';
import { inPages, PAGE_SIZE, PAGES_LIMIT } from '../client/pages.ts';

export function createPullRequests(clients: Clients): PullRequests & Approvals {
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

    async reviewsOf(repository, number) {
      const reviews = await clients.ask(repository, 'GET reviews', (octokit) =>
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
            state: REVIEW_STATE[state] ?? 'other',
            sha,
          }));
        }),
      );
      return { reviews, isWhole: reviews.length < PAGE_SIZE * PAGES_LIMIT };
    },
  };
}

/** A review that is dismissed becomes `DISMISSED`. */
const REVIEW_STATE: Readonly<Record<string, Review['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
  DISMISSED: 'dismissed',
};

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
