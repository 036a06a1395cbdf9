/** The audit trail of what people pressed or commanded: stored after they had their answer, and until it is stored. */
import { ActivityFailure, ApplicationFailure, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
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

/** What was judged before the activity failed for good, for instance because nobody could be told. */
export function pressesIn(error: unknown): readonly Press[] {
  // A local activity fails with what it threw.
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure)) return [];
  const [presses] = cause.details ?? [];
  return Array.isArray(presses) ? (presses as readonly Press[]) : []; // The contract of the activities.
}

/**
 * One for each root, or each deployment that is cancelled: a root may have several. The ids are the same for the same
 * delivery, however often it is judged.
 */
function eventsOf({ delivery, receivedAt, event }: IntakeInput, press: Press): readonly PressAuditEvent[] {
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
