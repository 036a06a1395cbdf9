/** The events of a workflow's history, as they happen. */
import { defaultPayloadConverter } from '@temporalio/common';
import type { Client } from '@temporalio/client';

/** One event, as the SDK returns it. */
export type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** Yields all events from the first one on and waits for new ones. Ends with the workflow; throws when the signal aborts. */
export async function* eventsOf(
  { connection, options: { namespace } }: Client,
  workflowId: string,
  signal: AbortSignal,
): AsyncGenerator<HistoryEvent> {
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await connection.withAbortSignal(signal, () =>
      connection.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution: { workflowId },
        waitNewEvent: true,
        ...(nextPageToken && { nextPageToken }),
      }),
    );
    yield* page.history?.events ?? [];
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

/** The name of the step that the event is, such as `applyOnHost is scheduled`; undefined when the event is no step. */
export function stepOf(event: HistoryEvent): string | undefined {
  if (event.workflowExecutionStartedEventAttributes) return 'it is started';
  const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
  if (activity) return `${activity} is scheduled`;
  const child = event.childWorkflowExecutionStartedEventAttributes?.workflowType?.name;
  if (child) return `${child} is started`;
  const signal = event.workflowExecutionSignaledEventAttributes?.signalName;
  if (signal) return `${signal} came`;
  if (event.activityTaskCompletedEventAttributes) return 'an activity is done';
  const local = event.markerRecordedEventAttributes?.details?.['data']?.payloads?.[0];
  return local && `${localActivityOf(local)} is done`;
}

function localActivityOf(payload: Parameters<typeof defaultPayloadConverter.fromPayload>[0]): string {
  const data: unknown = defaultPayloadConverter.fromPayload(payload);
  const name: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'activity_type') : undefined;
  return typeof name === 'string' ? name : 'a local activity';
}
