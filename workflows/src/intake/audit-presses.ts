/** Records presses and commands in the audit trail: after people have their answer, and retried until it is stored. */
import { ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import {
  deliveryWorkflowId,
  pressAuditEvent,
  type IntakeActivities,
  type IntakeInput,
  type Press,
  type PressAuditEvent,
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

export async function auditPresses(input: IntakeInput, presses: readonly Press[]): Promise<void> {
  const events = presses.flatMap((press) => eventsOf(input, press));
  for (let start = 0; start < events.length; start += AT_ONCE) {
    const some = events.slice(start, start + AT_ONCE);
    await quickly.recordAudits(some).catch(() => durably.recordAudits(some));
  }
}

/**
 * Audits an event that could not be taken, for good or for too long. If presses were judged before the failure, for instance
 * when the person could not be told, these are recorded. Otherwise the request is recorded as refused, with the reason.
 */
export async function auditFailure(input: IntakeInput, error: unknown): Promise<void> {
  const { event } = input;
  if (event.kind === 'push' || event.kind === 'late-outcome') return;
  const judged = pressesIn(error);
  if (judged.length > 0) return auditPresses(input, judged);
  const why = reasonOf(error);
  await auditPresses(input, await quickly.listNotTaken(event, why).catch(() => durably.listNotTaken(event, why)));
}

function pressesIn(error: unknown): readonly Press[] {
  const details = causesOf(error).flatMap((cause) => (cause instanceof ApplicationFailure ? [cause.details?.[0]] : []));
  return (details.find(Array.isArray) as readonly Press[] | undefined) ?? []; // The contract of the activities.
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
function eventsOf({ delivery, receivedAt, event }: IntakeInput, press: Press): readonly PressAuditEvent[] {
  if (event.kind === 'late-outcome') return []; // Nobody pressed anything.
  const { rootNames, refusal, ...facts } = press;
  const about = {
    ...facts,
    repository: event.repository,
    by: event.sender,
    at: receivedAt,
    workflowId: deliveryWorkflowId(delivery),
  };
  const cancelled = press.action === 'cancel' ? press.deploymentId : undefined;
  if (rootNames.length === 0) return [pressAuditEvent({ ...about, requestId: delivery }, refusal)];
  return rootNames.map((rootName) =>
    pressAuditEvent({ ...about, requestId: `${delivery}:${cancelled ?? rootName}`, rootName }, refusal),
  );
}
