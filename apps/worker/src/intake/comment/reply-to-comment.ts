/** Replies to a comment once, however often its event is tried. */
import type { CommentEvent, IntakeResult } from '@nereid/domain/intake';
import type { IntakeCall } from '../intake-call.ts';
import { withFailureReported } from '../with-failure-reported.ts';
import type { ActionSubject } from '../action-subject.ts';
import { acceptedText, refusalText, type Accepted } from './replies.ts';
import { refused, signalled } from '../results.ts';

/** How far the forge's clock may be behind that of our Temporal. */
const CLOCKS_MS = 5 * 60_000;

export async function reply(call: IntakeCall, event: CommentEvent, body: string): Promise<void> {
  const { context, delivery, attempt, scheduledAtMs } = call;
  await context.forge.comments.create(event.repository, event.pullRequest, {
    body,
    key: delivery,
    ...(attempt > 1 && { mayExistSince: new Date(scheduledAtMs - CLOCKS_MS) }),
  });
}

/** `on` is the subject of the refusal, if it is known. */
export async function refuse(
  call: IntakeCall,
  event: CommentEvent,
  sentences: readonly string[],
  on: ActionSubject = { rootNames: [] },
): Promise<IntakeResult> {
  call.userActions.refused(on, sentences.join('; '));
  await reply(call, event, refusalText('Nothing was done:', sentences));
  return refused(sentences.join('; ').slice(0, SENTENCE_LIMIT));
}

/** Signals stay sent even if the reply fails. Another attempt sends the same signals and the same reply again. */
export async function accept(
  call: IntakeCall,
  event: CommentEvent,
  accepted: Accepted,
  workflows: readonly string[],
): Promise<IntakeResult> {
  const sentence = `${accepted.lead} for @${event.sender}`;
  return withFailureReported(
    async () => {
      await reply(call, event, acceptedText(accepted));
      return signalled(sentence, workflows);
    },
    (why) => Promise.resolve(signalled(`${sentence}; the reply could not be written: ${why}`, workflows)),
  );
}

/** One line in the Temporal UI. */
const SENTENCE_LIMIT = 500;
