/**
 * Temporal's SDK (Core of 1.24) gives events to a workflow too early: a query may reach a worker with events of a workflow task
 * that has not started. The workflow then takes these events alone, at the time of the previous task. The next replay takes
 * them at the time of their own task, with all events until then. So the history does not replay, and the workflow is stuck.
 *
 * Therefore such an activation fails. The query fails with it, and the worker forgets the workflow. When the task starts, it
 * begins with a replay. Events of a task that has started come with a later time than earlier events. Only where the server's
 * clock was set back they may not: then the task fails, and is tried again, until the clock has caught up.
 */
import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow';
import { explainNoStackTraces } from './stack-traces.ts';

export function interceptors(): WorkflowInterceptors {
  explainNoStackTraces();
  return { internals: [refuseEarlyEvents()] };
}

export function refuseEarlyEvents(): WorkflowInternalsInterceptor {
  let last = { historyLength: 0, time: '' };

  return {
    activate(input, next) {
      const { historyLength, isReplaying, jobs, timestamp } = input.activation;
      const now = { historyLength: historyLength ?? 0, time: `${String(timestamp?.seconds)}.${timestamp?.nanos ?? 0}` };
      const hasEvents = jobs?.some(({ queryWorkflow }) => !queryWorkflow) === true;
      const isEarly = now.historyLength > last.historyLength && now.time === last.time;
      if (hasEvents && isEarly && isReplaying !== true) throw new EarlyEventsError(now.historyLength);
      last = now;
      next(input);
    },
  };
}

export class EarlyEventsError extends Error {
  override readonly name = 'EarlyEventsError';

  constructor(historyLength: number) {
    super(
      `expected events of a workflow task that has started, found events up to ${historyLength}, which a query brought too early; ask the query again`,
    );
  }
}
