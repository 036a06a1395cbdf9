import {
  eventFacts,
  fullName,
  type IntakeActivities,
  type IntakeEvent,
  type IntakeResult,
  type ReceivedEvent,
} from '@nereid/contracts';
import { Context } from '@temporalio/activity';
import type { WorkerContext } from '../context.ts';
import { toFailure, withFailures } from '../failures.ts';
import { recordAudits } from '../record-audit.ts';
import { withHeartbeats } from '../temporal/with-heartbeats.ts';
import type { IntakeCall } from './intake-call.ts';
import { takeButton } from './check-run/take-button.ts';
import { notTaken } from './not-taken.ts';
import { createUserActions } from './user-actions.ts';
import { takeComment } from './comment/take-comment.ts';
import { takePush } from './revisions/take-push.ts';
import { takeRerunAll } from './rerun/take-rerun-all.ts';
import { takeRerun } from './rerun/take-rerun.ts';

/** The activities of the intake workflow, for control workers. Each can be tried again. */
export function createIntakeActivities(context: WorkerContext): IntakeActivities {
  return withFailures<IntakeActivities>({
    takeEvent: (received) => takeEvent(context, received),
    listNotTaken: (event, why) => Promise.resolve(notTaken(event, why)),
    recordAudits: (events) => recordAudits(context, events),
  });
}

/** Longer than a long weekend without workers. What pushes are lost, the reconciler finds. */
const DIES_AFTER_MS = 3 * 24 * 3_600_000;

/** The event is older than any outage, or somebody kept it to have it taken again. */
class EventExpiredError extends Error {
  override readonly name = 'EventExpiredError';
  readonly code = 'EVENT_EXPIRED';

  constructor(receivedAt: string) {
    super(`expected an event of the last three days, found one of ${receivedAt}; redeliver the webhook on GitHub`);
  }
}

async function takeEvent(context: WorkerContext, received: ReceivedEvent): Promise<IntakeResult> {
  const { delivery, receivedAt, event, signature } = received;
  await context.signatures.verify('event', eventFacts(received), signature);
  if (Date.now() - Date.parse(receivedAt) > DIES_AFTER_MS) throw new EventExpiredError(receivedAt);
  const { info, cancellationSignal: signal } = Context.current();
  const userActions = createUserActions(event);
  const call = {
    context,
    delivery,
    receivedAtMs: info.scheduledTimestampMs,
    attempt: info.attempt,
    signal,
    userActions,
  };
  const result = await withHeartbeats(
    () => take(call, event),
    () => ({ discoveries: context.discovery.load() }),
  ).catch((error: unknown) => {
    // A refusal counts even if the person could not be told, and there may be no time for another attempt.
    throw toFailure(error, userActions.all());
  });
  context.metrics.intakes.inc({ event: event.kind, outcome: result.kind });
  const fields = { delivery, event: event.kind, repository: fullName(event.repository), outcome: result.kind };
  context.logger.info({ ...fields, sentence: result.sentence }, 'event taken');
  return { ...result, ...(userActions.all().length > 0 && { userActions: userActions.all() }) };
}

function take(call: IntakeCall, event: IntakeEvent): Promise<IntakeResult> {
  switch (event.kind) {
    case 'push':
      return takePush(call, event);
    case 'button':
      return takeButton(call, event);
    case 'rerun':
      return takeRerun(call, event);
    case 'rerun-all':
      return takeRerunAll(call, event);
    case 'comment':
      return takeComment(call, event);
  }
}
