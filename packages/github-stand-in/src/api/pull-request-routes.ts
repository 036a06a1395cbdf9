import { addComment, addReaction, editComment } from '../actions/comments.ts';
import { readPullRequestCommits, readPullRequestFacts, readPullRequestFiles } from '../events/pull-request-facts.ts';
import { commentJson, enqueuedJson, reactionJson } from '../json/comment-json.ts';
import { changedFileJson, commitJson } from '../json/commit-json.ts';
import { pullRequestJson, pullRequestSimpleJson, reviewJson } from '../json/pull-request-json.ts';
import { commentsOf, findPullRequest, reviewsOf } from '../state/find.ts';
import type { Comment, PullRequest } from '../state/model.ts';
import { created, notFound, ok } from './answer.ts';
import { paged } from './pages.ts';
import type { RepositoryCall, Route } from './route.ts';

/** Pull requests, their reviews, and their comments (which GitHub's API keeps with issues). */
export const pullRequestRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    answer: (call) =>
      paged(call, listPullRequests(call), (pr) => pullRequestSimpleJson(call.world, call.repository, pr)),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    async answer(call) {
      const { world, repository } = call;
      const pr = requirePullRequest(call, 'pull_number');
      const facts = await readPullRequestFacts(world, repository, pr);
      const known = world.faults.meetMergeability() ? { ...facts, ...NOT_WORKED_OUT } : facts;
      return ok(pullRequestJson(world, repository, pr, known));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/files',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    async answer(call) {
      const { world, repository } = call;
      const pr = requirePullRequest(call, 'pull_number');
      const files = await readPullRequestFiles(world, repository, pr);
      return paged(call, files, (file) => changedFileJson(world, repository, file, pr.headSha));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/commits',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    async answer(call) {
      const { world, repository } = call;
      const commits = await readPullRequestCommits(world, repository, requirePullRequest(call, 'pull_number'));
      return paged(call, commits, (commit) => commitJson(world, repository, commit));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    answer(call) {
      const { world, repository } = call;
      const pr = requirePullRequest(call, 'pull_number');
      return paged(call, reviewsOf(world.store, pr), (review) => reviewJson(world, repository, pr, review));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    answer(call) {
      const pr = requirePullRequest(call, 'issue_number');
      const comments = commentsSince(commentsOf(call.world.store, pr), call.query['since']);
      return paged(call, comments, (comment) => commentJson(call.world, call.repository, pr, comment));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/timeline',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    answer(call) {
      const { world, repository } = call;
      const { enqueued = [] } = requirePullRequest(call, 'issue_number');
      return paged(call, enqueued, (event) => enqueuedJson(world, repository, event));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    access: 'repository',
    permission: ['pull_requests', 'write'],
    answer(call) {
      const { world, repository } = call;
      const pr = requirePullRequest(call, 'issue_number');
      const comment = addComment(world, repository, pr, { author: world.app.bot, body: bodyOf(call) });
      return created(commentJson(world, repository, pr, comment));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}',
    access: 'repository',
    permission: ['pull_requests', 'read'],
    answer(call) {
      const { comment, pr } = requireComment(call);
      return ok(commentJson(call.world, call.repository, pr, comment));
    },
  },
  {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}',
    access: 'repository',
    permission: ['pull_requests', 'write'],
    answer(call) {
      const { comment, pr } = requireComment(call);
      editComment(call.world, call.repository, pr, comment, bodyOf(call));
      return ok(commentJson(call.world, call.repository, pr, comment));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    access: 'repository',
    permission: ['pull_requests', 'write'],
    answer(call) {
      // The body was checked against GitHub's description, which gives it this type.
      const { content } = call.body as { content: string };
      const { comment } = requireComment(call);
      const known = comment.reactions.length;
      const reaction = reactionJson(call.world, addReaction(call.world, comment, call.world.app.bot, content));
      return comment.reactions.length === known ? ok(reaction) : created(reaction);
    },
  },
];

const NOT_WORKED_OUT = { mergeable: null, mergeableState: 'unknown' } as const;

/** Oldest first, including edited ones: GitHub sorts a pull request's comments in no other way. */
function commentsSince(comments: readonly Comment[], since: string | undefined): readonly Comment[] {
  if (since === undefined) return comments;
  return comments.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since));
}

/** `head` is `owner:branch`. Newest first; only open ones by default. */
function listPullRequests({ world, repository, query }: RepositoryCall): PullRequest[] {
  const { state = 'open', head, base, sort = 'created', direction = sort === 'created' ? 'desc' : 'asc' } = query;
  const listed = world.store.state.pullRequests
    .filter(
      (pr) =>
        pr.repositoryId === repository.id &&
        (state === 'all' || pr.state === state) &&
        (head === undefined || head === `${repository.owner}:${pr.headBranch}`) &&
        (base ?? pr.baseBranch) === pr.baseBranch,
    )
    .toSorted((one, other) => (sort === 'updated' ? one.updatedAt.localeCompare(other.updatedAt) : 0));
  return direction === 'desc' ? listed.reverse() : listed;
}

function requirePullRequest({ world, repository, params }: RepositoryCall, parameter: string): PullRequest {
  const pr = findPullRequest(world.store, repository, Number(params[parameter]));
  if (!pr) throw notFound();
  return pr;
}

function requireComment({ world, repository, params }: RepositoryCall): { comment: Comment; pr: PullRequest } {
  const { comments, pullRequests } = world.store.state;
  const comment = comments.find(({ id }) => id === Number(params['comment_id']));
  const pr = pullRequests.find(({ id }) => id === comment?.pullRequestId);
  if (!comment || pr?.repositoryId !== repository.id) throw notFound();
  return { comment, pr };
}

function bodyOf({ body }: RepositoryCall): string {
  // The body was checked against GitHub's description, which gives it this type.
  return (body as { body: string }).body;
}
