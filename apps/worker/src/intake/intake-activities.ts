import { fullName, type IntakeActivities, type IntakeEvent, type IntakeResult } from '@nereid/contracts';
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

/** The activities of the intake workflow, for control workers: one for each kind of event. Each can be tried again. */
export function createIntakeActivities(context: WorkerContext): IntakeActivities {
  return withFailures<IntakeActivities>({
    takePush: (delivery, event) => take(context, delivery, event, takePush),
    takeButton: (delivery, event) => take(context, delivery, event, takeButton),
    takeRerun: (delivery, event) => take(context, delivery, event, takeRerun),
    takeRerunAll: (delivery, event) => take(context, delivery, event, takeRerunAll),
    takeComment: (delivery, event) => take(context, delivery, event, takeComment),
    listNotTaken: (event, why) => Promise.resolve(notTaken(event, why)),
    recordAudits: (events) => recordAudits(context, events),
  });
}

async function take<E extends IntakeEvent>(
  context: WorkerContext,
  delivery: string,
  event: E,
  takeEvent: (call: IntakeCall, event: E) => Promise<IntakeResult>,
): Promise<IntakeResult> {
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
  const result = await withHeartbeats(() => takeEvent(call, event)).catch((error: unknown) => {
    // A refusal counts even if the person could not be told, and there may be no time for another attempt.
    throw toFailure(error, userActions.all());
  });
  context.metrics.intakes.inc({ event: event.kind, outcome: result.kind });
  const fields = { delivery, event: event.kind, repository: fullName(event.repository), outcome: result.kind };
  context.logger.info({ ...fields, sentence: result.sentence }, 'event taken');
  return { ...result, ...(userActions.all().length > 0 && { userActions: userActions.all() }) };
}
