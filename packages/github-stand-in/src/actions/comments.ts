import { commentJson, issueJson } from '../json/comment-json.ts';
import { ensureAccount } from '../state/accounts.ts';
import type { Comment, PullRequest, Reaction, Repository } from '../state/model.ts';
import { now } from '../state/store.ts';
import { emit } from '../events/emit.ts';
import type { World } from '../world.ts';
import { commentTime } from '../events/activities.ts';

/** Writes a comment on a pull request. The App gets webhooks of its own comments too, as on GitHub. */
export function addComment(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { author, body }: { author: string; body: string },
): Comment {
  ensureAccount(world.store, author);
  const createdAt = commentTime(world, repository, pr);
  const comment: Comment = {
    id: world.store.newId(),
    pullRequestId: pr.id,
    author,
    body,
    createdAt,
    updatedAt: createdAt,
    reactions: [],
  };
  world.store.state.comments.push(comment);
  emitComment(world, repository, pr, comment, 'created', author);
  world.store.changed();
  return comment;
}

export function editComment(world: World, repository: Repository, pr: PullRequest, comment: Comment, body: string) {
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = now();
  emitComment(world, repository, pr, comment, 'edited', comment.author, { changes: { body: { from } } });
  world.store.changed();
}

/** Anybody who may write may delete anybody's comment. */
export function deleteComment(
  world: World,
  repository: Repository,
  pr: PullRequest,
  { id, by }: { readonly id: number; readonly by: string },
): void {
  const { comments } = world.store.state;
  const comment = comments.find((each) => each.id === id && each.pullRequestId === pr.id);
  if (comment === undefined) throw new Error(`#${pr.number} has no comment ${id}`);
  comments.splice(comments.indexOf(comment), 1);
  emitComment(world, repository, pr, comment, 'deleted', by);
  world.store.changed();
}

/** The same reaction of the same person counts once. */
export function addReaction(world: World, comment: Comment, author: string, content: string): Reaction {
  const known = comment.reactions.find((each) => each.author === author && each.content === content);
  if (known) return known;
  const reaction = { id: world.store.newId(), author, content, createdAt: now() };
  comment.reactions.push(reaction);
  world.store.changed();
  return reaction;
}

function emitComment(
  world: World,
  repository: Repository,
  pr: PullRequest,
  comment: Comment,
  action: string,
  sender: string,
  more = {},
): void {
  const payload = {
    issue: issueJson(world, repository, pr),
    comment: commentJson(world, repository, pr, comment),
    ...more,
  };
  emit(world, { event: 'issue_comment', action, repository, sender, payload });
}
