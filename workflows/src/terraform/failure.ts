/** Why an activity of a deployment has no answer. */
import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import type { Asking, EffectFailure } from '@nereid/domain/deployment-actor';
import { withoutMentions } from '@nereid/domain/lane';

/** Long enough for a path and its problem. */
const WHY_LIMIT = 300;

/**
 * A bug of the workflow counts as refused: another attempt would not help. An answer to a request for permission that cannot be read
 * may follow a start that the audit trail has.
 */
export function failureOf(effect: Asking, error: unknown): EffectFailure {
  if (isCancellation(error)) return { kind: 'cancelled', why: 'it was cancelled' };
  if (!(error instanceof ActivityFailure)) {
    const kind = effect.kind === 'begin' ? 'failed' : 'refused';
    return { kind, why: withoutMentions(error instanceof Error ? error.message : String(error)) };
  }
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return timedOut(effect, cause);
  const why = withoutMentions((cause?.message ?? error.message).slice(0, WHY_LIMIT));
  if (!(cause instanceof ApplicationFailure)) return { kind: 'failed', why };
  const code = cause.type ?? undefined;
  return { kind: cause.nonRetryable === true ? 'refused' : 'failed', why, ...(code !== undefined && { code }) };
}

/** What needs no host blames none. */
function timedOut({ kind }: Asking, timeout: TimeoutFailure): EffectFailure {
  const isNotTaken = timeout.timeoutType === TimeoutType.SCHEDULE_TO_START;
  if (kind === 'begin') {
    const { cause } = timeout;
    const why = cause instanceof ApplicationFailure ? cause.message.slice(0, WHY_LIMIT) : 'no answer came in time';
    return { kind: 'lost', why: withoutMentions(why) };
  }
  return isNotTaken
    ? { kind: 'not taken', why: 'the host did not answer' }
    : { kind: 'lost', why: 'the host was lost' };
}
