import { trailFact, type EventReceived } from '@nereid/domain/events';
import {
  isConsoleRequest,
  type IntakeActivities,
  type IntakeEvent,
  type IntakeResult,
  type JudgedAction,
  type ReceivedEvent,
  type UserAction,
} from '@nereid/domain/intake';
import type { Signed } from '@nereid/domain/signed';
import { userActionAuditEvents } from '@nereid/domain/trail';
import type { Proven } from '@nereid/signature';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../platform/context.ts';
import { toFailure, withFailures } from '../platform/failures/failures.ts';
import { withHeartbeats } from '../platform/temporal/with-heartbeats.ts';
import type { IntakeCall } from './intake-call.ts';
import { handleButton } from './check-run/handle-button.ts';
import { notTaken } from './not-taken.ts';
import { createUserActions } from './user-actions.ts';
import { happenedAt, markAccepted, takenBefore } from './taken-before.ts';
import { handleComment } from './comment/handle-comment.ts';
import { handleMergeGroup } from './pull-request/handle-merge-group.ts';
import { handlePullRequest } from './pull-request/handle-pull-request.ts';
import { handlePush } from './revisions/handle-push.ts';
import { handleProtectedRun } from './handle-protected-run.ts';
import { handleOperatorRequest } from './request/handle-operator-request.ts';
import { handleRequest } from './request/handle-request.ts';
import { handleRerunAll } from './rerun/handle-rerun-all.ts';
import { handleRerun } from './rerun/handle-rerun.ts';

/** The activities of the intake workflow, for control workers. Each can be tried again. */
export function createIntakeActivities(context: WorkerContext): IntakeActivities {
  return withFailures<IntakeActivities>({
    handleEvent: (received) => handleAndPublish(context, received),
    async recordUserActions(event, userActions) {
      const { body: received } = await openEvent(context, event);
      const actions =
        'notTaken' in userActions
          ? notTaken(received.event, userActions.notTaken)
          : await openActions(context, received, userActions);
      await context.publish(...userActionAuditEvents(received, actions).map(trailFact));
    },
  });
}

/** Longer than a long weekend without workers. The reconciler finds the pushes that are lost. */
const DIES_AFTER_MS = 3 * 24 * 3_600_000;

/** A person who asked in the console has looked at its answer by then, and asks again. As long as intake tries. */
const REQUEST_DIES_AFTER_MS = 3_600_000;

function diesAfterMs(event: IntakeEvent): number {
  return isConsoleRequest(event) ? REQUEST_DIES_AFTER_MS : DIES_AFTER_MS;
}

/** The event is older than any outage, or somebody kept it to have it taken again. */
class EventExpiredError extends Error {
  override readonly name = 'EventExpiredError';
  readonly code = 'EVENT_EXPIRED';

  constructor(receivedAt: string, event: IntakeEvent) {
    const [age, remedy] = isConsoleRequest(event)
      ? ['hour', 'ask again in the console']
      : ['three days', 'have the forge deliver the webhook again'];
    super(`expected an event of the last ${age}, found one of ${receivedAt}; ${remedy}`);
  }
}

async function handleAndPublish(context: WorkerContext, sent: Signed<ReceivedEvent>): Promise<IntakeResult> {
  const { body: received } = await openEvent(context, sent);
  try {
    const result = await handleEvent(context, received, sent.signature);
    const { kind, sentence } = result;
    await context.publish(receivedEvent(received, { kind, sentence }));
    return result;
  } catch (error) {
    await context.publish(receivedEvent(received, { kind: 'failed' }));
    throw error;
  }
}

function receivedEvent({ delivery, event, receivedAt }: ReceivedEvent, result: EventReceived['result']): EventReceived {
  const id = `${delivery}:${Context.current().info.attempt}`;
  return { kind: 'received', id, delivery, event, receivedAt, result };
}

async function handleEvent(context: WorkerContext, received: ReceivedEvent, signature: string): Promise<IntakeResult> {
  const { delivery, receivedAt, event } = received;
  const bornAt = event.kind === 'comment' ? (happenedAt(event) ?? receivedAt) : receivedAt;
  for (const at of [receivedAt, bornAt])
    if (Date.now() - Date.parse(at) > diesAfterMs(event)) throw new EventExpiredError(at, event);
  const { info, cancellationSignal: signal } = Context.current();
  const userActions = createUserActions(event);
  const call = {
    context,
    delivery,
    askedAt: receivedAt,
    scheduledAtMs: info.scheduledTimestampMs,
    attempt: info.attempt,
    signal,
    answeredIn: isConsoleRequest(event) ? ('console' as const) : ('forge' as const),
    userActions,
  };
  const result = await withHeartbeats(
    async () => (await takenBefore(context, received)) ?? handleNewEvent(call, received, signature),
    () => ({ discoveries: context.discovery.load() }),
  ).catch(async (error: unknown) => {
    // A refusal counts even if the person could not be told, and there may be no time for another attempt.
    throw toFailure(error, await signed(context, received, userActions.all()));
  });
  const asked = await signed(context, received, userActions.all());
  return { ...result, ...(asked.length > 0 && { userActions: asked }) };
}

async function handleNewEvent(call: IntakeCall, received: ReceivedEvent, signature: string): Promise<IntakeResult> {
  const result = await dispatch(call, received, signature);
  await markAccepted(call.context, received, result);
  return result;
}

/** Of the gateway or of the console, as it says: it opens as nothing else. */
function openEvent({ signatures }: WorkerContext, received: Signed<ReceivedEvent>): Promise<Proven<ReceivedEvent>> {
  const kind = isConsoleRequest(received.body.event) ? 'request/person' : 'event/github';
  return signatures.open(kind, received, {});
}

/** The audit trail believes them, although they come back through Temporal. */
function signed(
  { signatures }: WorkerContext,
  { delivery }: ReceivedEvent,
  actions: readonly UserAction[],
): Promise<readonly Signed<JudgedAction>[]> {
  return Promise.all(actions.map((action) => signatures.enclose('decision/action', { version: 1, delivery, action })));
}

async function openActions(
  { signatures }: WorkerContext,
  { delivery }: ReceivedEvent,
  userActions: readonly Signed<JudgedAction>[],
): Promise<readonly UserAction[]> {
  const judged = await Promise.all(userActions.map((one) => signatures.open('decision/action', one, { delivery })));
  return judged.map(({ body }) => body.action);
}

function dispatch(call: IntakeCall, received: ReceivedEvent, signature: string): Promise<IntakeResult> {
  const { event } = received;
  switch (event.kind) {
    case 'push':
      return handlePush(call, event);
    case 'pull-request':
      return handlePullRequest(call, event);
    case 'merge-group':
      return handleMergeGroup(call, event);
    case 'protected-run':
      return handleProtectedRun(call, { body: { ...received, event }, signature });
    case 'button':
      return handleButton(call, event);
    case 'rerun':
      return handleRerun(call, event);
    case 'rerun-all':
      return handleRerunAll(call, event);
    case 'comment':
      return handleComment(call, event);
    case 'request':
      return handleRequest(call, event);
    case 'operator-request':
      return handleOperatorRequest(call, event);
  }
}
