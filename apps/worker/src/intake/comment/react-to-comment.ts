/** Reactions show on the comment itself that it was seen, and how it ended. */
import { fullName, type CommentEvent, type IntakeResult } from '@nereid/contracts';
import type { Reaction } from '@nereid/github';
import type { IntakeCall } from '../intake-call.ts';

/** 👀 while the comment is taken, then 👎 if nothing was done, and 👍 otherwise. */
export async function withReactions(
  call: IntakeCall,
  event: CommentEvent,
  take: () => Promise<IntakeResult>,
): Promise<IntakeResult> {
  const seen = react(call, event, 'eyes');
  const result = await take();
  await seen;
  await react(call, event, result.kind === 'refused' ? '-1' : '+1');
  return result;
}

/** People rely on the reply, so a reaction that GitHub does not take is only logged. */
async function react({ context }: IntakeCall, event: CommentEvent, reaction: Reaction): Promise<void> {
  const { repository, commentId } = event;
  try {
    await context.github.comments.react(repository, commentId, reaction);
  } catch (error) {
    const fields = { err: error, repository: fullName(repository), comment: commentId, reaction };
    context.logger.warn(fields, 'a reaction to a comment could not be added');
  }
}
