/**
 * Our comments on pull requests.
 *
 * Creating one is not idempotent. So each comment carries an invisible key, and if an earlier attempt may have written it,
 * the comments since then are searched first.
 */
import type { Repository } from '@nereid/domain/root';
import type { Comments } from '@nereid/forge';
import type { Clients } from './client/clients.ts';
import { inPages, PAGE_SIZE } from './client/pages.ts';

/** GitHub's limit for a comment, in characters. */
const COMMENT_LIMIT = 65_536;

export function createComments(clients: Clients): Omit<Comments, 'kept'> {
  return {
    async create(repository, pullRequest, { body, key, mayExistSince }) {
      const mark = markOf(key);
      if (mayExistSince && (await isThere(clients, repository, pullRequest, mark, mayExistSince))) return;
      await clients.ask(repository, 'POST comment', (octokit) =>
        octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          owner: repository.owner,
          repo: repository.name,
          issue_number: pullRequest,
          body: `${body.slice(0, COMMENT_LIMIT - mark.length)}${mark}`,
        }),
      );
    },

    async react(repository, commentId, content) {
      await clients.ask(repository, 'POST reaction', (octokit) =>
        octokit.request('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
          owner: repository.owner,
          repo: repository.name,
          comment_id: commentId,
          content,
        }),
      );
    },
  };
}

/** GitHub keeps an HTML comment, and does not show it. */
function markOf(key: string): string {
  return `\n\n<!-- nereid: ${encodeURIComponent(key)} -->`;
}

async function isThere(
  clients: Clients,
  repository: Repository,
  pullRequest: number,
  mark: string,
  since: Date,
): Promise<boolean> {
  const comments = await inPages((page) =>
    clients.ask(repository, 'GET comments', async (octokit) => {
      const { data } = await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        owner: repository.owner,
        repo: repository.name,
        issue_number: pullRequest,
        since: since.toISOString(),
        per_page: PAGE_SIZE,
        page,
      });
      return data;
    }),
  );
  // A person may quote our comment, including its mark.
  return comments.some(({ body, user }) => user?.type === 'Bot' && body?.includes(mark.trim()));
}
