/**
 * Temporal's SDK (Core of 1.24) gives a workflow events too early: a query may reach a worker with events of a workflow task
 * that has not started. The workflow then takes them at the time of the task before, alone, and the next replay takes them at
 * the time of their own task, with all that came until then: the history does not replay, and the workflow is stuck.
 *
 * So such an activation fails. The query fails with it, the worker forgets the workflow, and the task, when it starts, begins
 * with a replay. Events of a task that has started always come with a later time than those before.
 */
import type { WorkflowInterceptors, WorkflowInternalsInterceptor } from '@temporalio/workflow';

export function interceptors(): WorkflowInterceptors {
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
      `expected events of a workflow task that has started, found those up to ${historyLength} come before theirs, with a query: it can be asked again`,
    );
  }
}
