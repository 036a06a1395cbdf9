import { commentsOf } from '../state/find.ts';
import type { Comment, Enqueued, PullRequest, Reaction, Repository } from '../state/model.ts';
import { accountJson } from './account-json.ts';
import { nodeId, type Json } from './json.ts';
import { pullRequestPage } from './pull-request-json.ts';
import { repositoryUrl } from './repository-json.ts';
import type { View } from '../world.ts';

/** `issue-comment`. */
export function commentJson(view: View, repository: Repository, pr: PullRequest, comment: Comment): Json {
  const url = repositoryUrl(view, repository);
  return {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url: `${url}/issues/comments/${comment.id}`,
    html_url: `${pullRequestPage(view, repository, pr)}#issuecomment-${comment.id}`,
    issue_url: `${url}/issues/${pr.number}`,
    body: comment.body,
    user: accountJson(view, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: comment.author === view.app.bot ? 'NONE' : 'COLLABORATOR',
    performed_via_github_app: null,
    reactions: reactionsJson(`${url}/issues/comments/${comment.id}/reactions`, comment.reactions),
  };
}

/** `state-change-issue-event`: the description has no schema of its own for this one. */
export function enqueuedJson(view: View, repository: Repository, { id, by, at }: Enqueued): Json {
  return {
    id,
    node_id: nodeId('AddedToMergeQueueEvent', id),
    url: `${repositoryUrl(view, repository)}/issues/events/${id}`,
    actor: accountJson(view, by),
    event: 'added_to_merge_queue',
    commit_id: null,
    commit_url: null,
    created_at: at,
    performed_via_github_app: null,
  };
}

/** `reaction`. */
export function reactionJson(view: View, reaction: Reaction): Json {
  return {
    id: reaction.id,
    node_id: nodeId('Reaction', reaction.id),
    user: accountJson(view, reaction.author),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

/** A pull request in the form of an issue, as issue_comment webhooks carry it. */
export function issueJson(view: View, repository: Repository, pr: PullRequest): Json {
  const url = `${repositoryUrl(view, repository)}/issues/${pr.number}`;
  const page = pullRequestPage(view, repository, pr);
  const pullRequestUrl = `${repositoryUrl(view, repository)}/pulls/${pr.number}`;
  return {
    url,
    repository_url: repositoryUrl(view, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    id: pr.id,
    node_id: nodeId('PullRequest', pr.id),
    number: pr.number,
    title: pr.title,
    user: accountJson(view, pr.author),
    labels: [],
    state: pr.state,
    locked: false,
    active_lock_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: commentsOf(view.store, pr).length,
    created_at: pr.createdAt,
    updated_at: pr.updatedAt,
    closed_at: pr.closedAt,
    author_association: 'COLLABORATOR',
    draft: pr.draft,
    pull_request: {
      url: pullRequestUrl,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: pr.merged?.at ?? null,
    },
    body: pr.body === '' ? null : pr.body,
    reactions: reactionsJson(`${url}/reactions`, []),
    performed_via_github_app: null,
    state_reason: null,
  };
}

const CONTENTS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'];

function reactionsJson(url: string, reactions: readonly Reaction[]): Json {
  const count = (content: string): number => reactions.filter((each) => each.content === content).length;
  return {
    url,
    total_count: reactions.length,
    ...Object.fromEntries(CONTENTS.map((content) => [content, count(content)])),
  };
}
