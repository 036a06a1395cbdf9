import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import {
  EVENT_KINDS,
  type IntakeActivities,
  type IntakeEvent,
  type IntakeInput,
  type IntakeResult,
  type ReceivedEvent,
} from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';
import { auditFailure, auditUserActions } from './audit-user-actions.ts';

/** A problem that lasts an hour is a matter for people. Once the workflow has failed, the webhook can be redelivered. */
const PATIENCE_MS = 3_600_000;

/** A first mirror of a large repository takes minutes; a worker that is gone is noticed by its missing heartbeats. */
const patiently = (patienceMs: number) =>
  proxyActivities<IntakeActivities>({
    startToCloseTimeout: '15m',
    heartbeatTimeout: '30s',
    scheduleToCloseTimeout: patienceMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
  });

/** Fits into a workflow task, which has 10 s. */
const QUICK_MS = 3_000;

const quickly = proxyLocalActivities<IntakeActivities>({
  startToCloseTimeout: QUICK_MS,
  scheduleToCloseTimeout: QUICK_MS,
  retry: { maximumAttempts: 1 },
});

/** One activity takes the event, and can be retried from its start. The result is the effect of the event. */
export async function intake(input: IntakeInput): Promise<IntakeResult> {
  assertKnown(input.body);
  const { patienceMs = PATIENCE_MS, ...received } = input;
  const { userActions = [], ...result } = await handleEvent(received, patienceMs).catch(async (error: unknown) => {
    await CancellationScope.nonCancellable(() => auditFailure(received, error));
    throw error;
  });
  // The person has an answer already. Storing it may take longer, and survives every crash.
  await auditUserActions(received, userActions);
  return result;
}

async function handleEvent(received: Signed<ReceivedEvent>, patienceMs: number): Promise<IntakeResult> {
  const activities = patiently(patienceMs);
  return isQuick(received.body.event) ? handleQuickly(activities, received) : activities.handleEvent(received);
}

/** Those that need no look at the code of a repository. */
function isQuick(event: IntakeEvent): boolean {
  if (event.kind === 'request') return !['deploy', 'rerun'].includes(event.request.action);
  return event.kind === 'button' || event.kind === 'operator-request';
}

/** A person waits, and a local activity takes only milliseconds. If it fails, an ordinary activity goes on trying. */
async function handleQuickly(
  activities: Pick<IntakeActivities, 'handleEvent'>,
  received: Signed<ReceivedEvent>,
): Promise<IntakeResult> {
  try {
    return await quickly.handleEvent(received);
  } catch (error) {
    const isFinal = isCancellation(error) || (error instanceof ApplicationFailure && error.nonRetryable);
    if (isFinal) throw error;
    return activities.handleEvent(received);
  }
}

/** A newer gateway may already be running. */
function assertKnown(body: Partial<Pick<ReceivedEvent, 'version' | 'event'>> | undefined): void {
  if (body?.version !== 1) throw unknown('version', body?.version);
  if (body.event === undefined || !(body.event.kind in EVENT_KINDS)) throw unknown('kind of event', body.event);
}

function unknown(what: string, found: unknown): ApplicationFailure {
  const message = `expected a ${what} that this worker knows, found ${found === undefined ? 'none' : JSON.stringify(found).slice(0, 200)}; upgrade the workers, then redeliver the webhook`;
  return ApplicationFailure.nonRetryable(message, 'UNKNOWN_INTAKE');
}
