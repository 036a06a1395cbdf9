/** Records the actions of people in the audit trail: after they have their answer, and retried until it is stored. */
import { ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import {
  deliveryWorkflowId,
  userActionAuditEvent,
  type IntakeActivities,
  type IntakeInput,
  type UserAction,
  type UserActionAuditEvent,
} from '@nereid/contracts';

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

export async function auditUserActions(input: IntakeInput, userActions: readonly UserAction[]): Promise<void> {
  const events = userActions.flatMap((action) => eventsOf(input, action));
  for (let start = 0; start < events.length; start += AT_ONCE) {
    const some = events.slice(start, start + AT_ONCE);
    await quickly.recordAudits(some).catch(() => durably.recordAudits(some));
  }
}

/**
 * Audits an event that could not be taken, for good or for too long. If actions were judged before the failure, for instance
 * when the person could not be told, these are recorded. Otherwise the request is recorded as refused, with the reason.
 */
export async function auditFailure(input: IntakeInput, error: unknown): Promise<void> {
  const { event } = input;
  if (event.kind === 'push') return;
  const judged = userActionsIn(error);
  if (judged.length > 0) return auditUserActions(input, judged);
  const why = reasonOf(error);
  await auditUserActions(input, await quickly.listNotTaken(event, why).catch(() => durably.listNotTaken(event, why)));
}

function userActionsIn(error: unknown): readonly UserAction[] {
  const details = causesOf(error).flatMap((cause) => (cause instanceof ApplicationFailure ? [cause.details?.[0]] : []));
  return (details.find(Array.isArray) as readonly UserAction[] | undefined) ?? []; // The contract of the activities.
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

/**
 * One event for each root, or for each cancelled deployment, of which a root may have several. The same delivery has the
 * same ids, however often it is judged.
 */
function eventsOf({ delivery, receivedAt, event }: IntakeInput, action: UserAction): readonly UserActionAuditEvent[] {
  const { rootNames, refusal, ...facts } = action;
  const about = {
    ...facts,
    repository: event.repository,
    by: event.sender,
    at: receivedAt,
    workflowId: deliveryWorkflowId(delivery),
  };
  const cancelled = action.action === 'cancel' ? action.deploymentId : undefined;
  if (rootNames.length === 0) return [userActionAuditEvent({ ...about, requestId: delivery }, refusal)];
  return rootNames.map((rootName) =>
    userActionAuditEvent({ ...about, requestId: `${delivery}:${cancelled ?? rootName}`, rootName }, refusal),
  );
}
