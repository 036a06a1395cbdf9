/** Records the actions of people in the audit trail: after they have their answer, and retried until it is stored. */
import { ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { IntakeActivities, JudgedAction, ReceivedEvent } from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';

/** As many as SNS takes within a few seconds, and far below the limit of an activity's input. */
const AT_ONCE = 100;

/** Fits into a workflow task, which has 10 s. */
const QUICK_MS = 3_000;

const quickly = proxyLocalActivities<IntakeActivities>({
  startToCloseTimeout: QUICK_MS,
  scheduleToCloseTimeout: QUICK_MS,
  retry: { maximumAttempts: 1 },
});

/** Events that an earlier attempt stored are not stored again. */
const durably = proxyActivities<IntakeActivities>({
  startToCloseTimeout: '10m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

export async function auditUserActions(
  received: Signed<ReceivedEvent>,
  userActions: readonly Signed<JudgedAction>[],
): Promise<void> {
  for (let start = 0; start < userActions.length; start += AT_ONCE) {
    await record(received, userActions.slice(start, start + AT_ONCE));
  }
}

/**
 * Audits an event that could not be taken, for good or for too long. If actions were judged before the failure, for instance
 * when the person could not be told, these are recorded. Otherwise the request is recorded as refused, with the reason.
 */
export async function auditFailure(received: Signed<ReceivedEvent>, error: unknown): Promise<void> {
  const { event } = received.body;
  if (event.kind === 'push') return;
  const judged = userActionsIn(error);
  if (judged.length > 0) return auditUserActions(received, judged);
  await record(received, { notTaken: reasonOf(error) });
}

function record(...asked: Parameters<IntakeActivities['recordUserActions']>): Promise<void> {
  return quickly.recordUserActions(...asked).catch(() => durably.recordUserActions(...asked));
}

function userActionsIn(error: unknown): readonly Signed<JudgedAction>[] {
  const details = causesOf(error).flatMap((cause) => (cause instanceof ApplicationFailure ? [cause.details?.[0]] : []));
  return (details.find(Array.isArray) as readonly Signed<JudgedAction>[] | undefined) ?? []; // The contract of the activities.
}

/** In characters. It is part of a longer sentence for people. */
const REASON_LIMIT = 400;

function reasonOf(error: unknown): string {
  const causes = causesOf(error);
  const cause = causes.find((one) => one instanceof ApplicationFailure) ?? causes.at(-1);
  return (cause?.message ?? String(error)).slice(0, REASON_LIMIT);
}

/** From Temporal's error to the error that was thrown: an activity that ran out of time has its last failure as the cause. */
function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
