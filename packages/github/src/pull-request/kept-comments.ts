/**
 * The comment on a pull request that we keep up to date.
 *
 * Creating one is not idempotent, and the caller sees to it that only one is created. A comment is found again by an invisible
 * mark and by its author, which is our App: anybody can copy the mark.
 */
import { defined } from '@nereid/domain/defined';
import type { KeptCommentRequest, KeptComments } from '@nereid/forge';
import { inBackground, type Conversation } from '../client/limits/background.ts';
import { READ_POINTS, WRITE_POINTS } from '../client/limits/points.ts';
import type { Clients } from '../client/clients.ts';
import { isNotFound } from '../client/failures.ts';
import { inPages, PAGE_SIZE } from '../client/pages.ts';
import { inRepository } from '../check-run/write-check-run.ts';

/** GitHub keeps an HTML comment, and does not show it. */
const MARK = '<!-- nereid: the plans of this pull request -->';

export function createKeptComments(clients: Clients): KeptComments {
  return {
    async find(request, since) {
      const author = await botOf(clients);
      const { repository, number } = request;
      const found = await inPages((page) =>
        clients.ask(repository, 'GET comments', async (octokit) => {
          const { data } = await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...inRepository(repository),
            issue_number: number,
            ...defined({ since }),
            per_page: PAGE_SIZE,
            page,
            // It is followed by the create.
            request: inBackground({ ...conversationOf(request), restPoints: WRITE_POINTS }),
          });
          return data;
        }),
      );
      const ours = found.find(({ body, user }) => user?.login === author && body?.includes(MARK) === true);
      return ours && Number(ours.id);
    },

    create({ repository, number, ...request }, body) {
      return clients.ask(repository, 'POST kept comment', async (octokit) => {
        const { data } = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...inRepository(repository),
          issue_number: number,
          body: marked(body),
          request: inBackground(conversationOf({ repository, number, ...request })),
        });
        return Number(data.id);
      });
    },

    async update({ repository, ...request }, id, body) {
      try {
        await clients.ask(repository, 'PATCH kept comment', (octokit) =>
          octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
            ...inRepository(repository),
            comment_id: id,
            body: marked(body),
            request: inBackground(conversationOf({ repository, ...request })),
          }),
        );
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
  };
}

function marked(body: string): string {
  return `${body}\n\n${MARK}`;
}

/** The login under which our App writes. Asked each time, because an App can be renamed. */
function botOf(clients: Clients): Promise<string> {
  return clients.askApp('GET app', async (octokit) => {
    const { data } = await octokit.request('GET /app');
    if (data?.slug === undefined) throw new Error('expected GitHub to name our App, found no slug');
    return `${data.slug}[bot]`;
  });
}

function conversationOf({ repository, number, begin, signal }: KeptCommentRequest): Conversation {
  return {
    key: `the comment on ${repository.owner}/${repository.name}#${number}`,
    priority: 'preview',
    restPoints: 0,
    againPoints: READ_POINTS + WRITE_POINTS,
    ...(begin && { begin }),
    ...(signal && { signal }),
  };
}
