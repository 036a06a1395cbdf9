/** The one reply to a comment, however often its event is tried. */
import type { CommentEvent, IntakeResult } from '@nereid/contracts';
import type { IntakeCall } from './intake-call.ts';
import { refusalText } from './replies.ts';
import { refused } from './results.ts';

/** How far GitHub's clock may be behind that of our Temporal. */
const CLOCKS_MS = 5 * 60_000;

export async function reply(call: IntakeCall, event: CommentEvent, body: string): Promise<void> {
  const { context, delivery, attempt, receivedAtMs } = call;
  await context.github.comments.create(event.repository, event.pullRequest, {
    body,
    key: delivery,
    ...(attempt > 1 && { mayExistSince: new Date(receivedAtMs - CLOCKS_MS) }),
  });
}

export async function refuse(
  call: IntakeCall,
  event: CommentEvent,
  sentences: readonly string[],
): Promise<IntakeResult> {
  await reply(call, event, refusalText('Nothing was done:', sentences));
  return refused(sentences.join('; ').slice(0, SENTENCE_LIMIT));
}

/** A line in the Temporal UI. */
const SENTENCE_LIMIT = 500;
