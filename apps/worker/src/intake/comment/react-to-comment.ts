/** Reactions show on the comment itself that it was seen, and how it ended. */
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import { fullName } from '@nereid/domain/root';
import type { OfForge, WorkerContext } from '../../platform/context.ts';
import { parseComment } from './comment-command.ts';
import type { Reaction } from '@nereid/forge';
import type { IntakeCall } from '../intake-call.ts';

/** 👀 while the comment is taken, then 👎 if nothing was done, and 👍 otherwise, unless that shows later. */
export async function withReactions(
  call: IntakeCall,
  event: CommentEvent,
  answerComment: () => Promise<IntakeResult>,
): Promise<IntakeResult> {
  const seen = react(call, event, 'eyes');
  const result = await answerComment();
  await seen;
  if (result.kind === 'refused') await react(call, event, '-1');
  else if (!isAnsweredLater(event)) await react(call, event, '+1');
  return result;
}

/** Its own workflow answers and reacts. */
function isAnsweredLater({ line }: CommentEvent): boolean {
  return parseComment(line).kind === 'root-and-lock';
}

function react({ context }: IntakeCall, comment: CommentEvent, reaction: Reaction): Promise<void> {
  return addReaction(context, comment, reaction);
}

/** People rely on the reply, so a reaction that the forge does not take is only logged. */
export async function addReaction(
  { forge, logger }: OfForge<'comments'> & Pick<WorkerContext, 'logger'>,
  { repository, commentId }: Pick<CommentEvent, 'repository' | 'commentId'>,
  reaction: Reaction,
): Promise<void> {
  try {
    await forge.comments.react(repository, commentId, reaction);
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), comment: commentId, reaction };
    logger.warn(fields, 'a reaction to a comment could not be added');
  }
}
