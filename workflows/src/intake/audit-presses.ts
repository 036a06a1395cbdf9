/** The audit trail of what people pressed or commanded: stored after they had their answer, and until it is stored. */
import { ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import {
  deliveryWorkflowId,
  pressAuditEvent,
  type IntakeActivities,
  type IntakeInput,
  type Press,
  type PressAuditEvent,
} from '@nereid/contracts';

/** As many as SNS takes within a few seconds, and far below the size of a message to an activity. */
const AT_ONCE = 100;

/** Within a workflow task, whose time is 10 s. */
const QUICK_MS = 3_000;

const quickly = proxyLocalActivities<IntakeActivities>({
  startToCloseTimeout: QUICK_MS,
  scheduleToCloseTimeout: QUICK_MS,
  retry: { maximumAttempts: 1 },
});

/** What was stored of them before is not stored again. */
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
 * An event that could not be taken, for good or for too long: what was judged before that, for instance when nobody could be
 * told; else that what was asked for was not done, and why.
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

/** Characters: the rest of a sentence for people stands around it. */
const REASON_LIMIT = 400;

function reasonOf(error: unknown): string {
  const causes = causesOf(error);
  const cause = causes.find((one) => one instanceof ApplicationFailure) ?? causes.at(-1);
  return (cause?.message ?? String(error)).slice(0, REASON_LIMIT);
}

/** From what Temporal says to what was thrown: an activity that ran out of time has its last failure as the cause. */
function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/**
 * One for each root, or each deployment that is cancelled: a root may have several. The ids are the same for the same
 * delivery, however often it is judged.
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
