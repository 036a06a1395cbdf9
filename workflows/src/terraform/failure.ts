/** Why an activity of a deployment has no answer. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import { TimeoutType } from '@temporalio/common';
import { withoutMentions, type PlanningEnded } from '@nereid/domain/deployment';
import type { Asking, EffectFailure } from '@nereid/domain/deployment-actor';
import { readGateWait } from '@nereid/domain/gates';
import { readAtWork } from '../answers.ts';

/** Long enough for a path and its problem. */
const WHY_LIMIT = 300;

/**
 * A bug of the workflow counts as refused: another attempt would not help. An answer to a request for permission that cannot be read
 * may follow a start that the audit trail has.
 */
export function failureOf(effect: Asking, error: unknown): EffectFailure {
  const host = effect.kind === 'plan' ? hostIn(error) : undefined;
  const closed = effect.kind === 'begin' ? gateWaitIn(error) : undefined;
  return { ...failureWithoutHost(effect, error), ...(host && { host }), ...(closed && { closed }) };
}

/** The gate at which the deployment keeps waiting for permission, from the details of the failure. */
function gateWaitIn(error: unknown): EffectFailure['closed'] {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? readGateWait(cause.details?.[0]) : undefined;
}

/** The host that took a plan, from the details of its failure or of its last heartbeat. */
function hostIn(error: unknown): EffectFailure['host'] {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof TimeoutFailure) return readAtWork(cause.lastHeartbeatDetails);
  return cause instanceof ApplicationFailure || cause instanceof CancelledFailure
    ? readAtWork(cause.details?.[0])
    : undefined;
}

function failureWithoutHost(effect: Asking, error: unknown): EffectFailure {
  if (isCancellation(error)) return { kind: 'cancelled', why: 'it was cancelled' };
  if (!(error instanceof ActivityFailure)) {
    const kind = effect.kind === 'begin' ? 'failed' : 'refused';
    const code = error instanceof ApplicationFailure ? (error.type ?? undefined) : undefined;
    const why = withoutMentions(error instanceof Error ? error.message : String(error));
    return { kind, why, ...(code !== undefined && { code }) };
  }
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return timedOut(effect, cause);
  const why = withoutMentions((cause?.message ?? error.message).slice(0, WHY_LIMIT));
  if (!(cause instanceof ApplicationFailure)) return { kind: 'failed', why };
  const code = cause.type ?? undefined;
  return { kind: isFinal(effect, cause) ? 'refused' : 'failed', why, ...(code !== undefined && { code }) };
}

/** The server retries no failure of a host that took a plan. Whether another host may do better, its details say. */
function isFinal({ kind }: Asking, { nonRetryable, details }: ApplicationFailure): boolean {
  const [ended] = (details ?? []) as readonly (Partial<PlanningEnded> | undefined)[]; // It may be anything.
  return kind === 'plan' && typeof ended?.isFinal === 'boolean' ? ended.isFinal : nonRetryable === true;
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
