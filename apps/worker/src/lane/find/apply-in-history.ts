/** Reads the last apply of a terraform workflow from its history. */
import type { HostActivities } from '@nereid/domain/activities';
import { defined } from '@nereid/domain/defined';
import type { ApplyJob, ApplyOutcome } from '@nereid/domain/deployment';
import type { Beginning, TerraformActivities } from '@nereid/domain/deployment-actor';
import type { TerraformFound } from '@nereid/domain/lane';
import { hostOfQueue, PAYLOAD_KEY_MISSING } from '@nereid/domain/temporal-names';
import { anyText, object, oneOf, optional, text } from '@nereid/domain/message-shape';
import type { WorkflowHandle } from '@temporalio/client';
import { readMessage, type Reading } from './read-message.ts';

export type LastApply = NonNullable<Extract<TerraformFound, { readonly kind: 'closed' }>['apply']>;

export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

type Activity = keyof HostActivities | keyof TerraformActivities;

/** `TIMEOUT_TYPE_SCHEDULE_TO_START` of temporal/api/enums/v1/workflow.proto. */
const NOT_TAKEN = 2;

/** The last apply; undefined when no host was asked for one, and the audit trail heard of none. */
export async function readLastApply(reading: Reading, events: readonly HistoryEvent[]): Promise<LastApply | undefined> {
  const asked = await lastAsked(reading, events);
  const announced = await lastAnnounced(reading, events);
  // No host was asked for it yet. Its start may be in the audit trail, so it needs an end there.
  if (announced !== undefined && announced !== asked?.jobId)
    return { jobId: announced, outcome: { kind: 'not-begun' } };
  return asked;
}

/** The last apply that a host was asked for. The outcome of an earlier one, whose plan could not be used, does not count. */
async function lastAsked(reading: Reading, events: readonly HistoryEvent[]): Promise<LastApply | undefined> {
  const last = events.findLast((event) => asksFor(event, 'applyOnHost') || asksFor(event, 'inspectApply'));
  const scheduled = last?.activityTaskScheduledEventAttributes;
  if (last === undefined || !scheduled) return undefined;
  const job = (await readMessage(reading, scheduled.input, JOB)) as ApplyJob | undefined; // The contract of both activities.
  if (job === undefined) return undefined;
  const { jobId } = job;
  const hostId = hostOfQueue(scheduled.taskQueue?.name ?? '');
  const end = events.find((event) => endedBy(event)?.eq(last.eventId ?? -1) === true);
  const outcome = end && (asksFor(last, 'applyOnHost') && isUnbegun(end) ? NOT_BEGUN : await outcomeIn(reading, end));
  return { jobId, ...defined({ hostId }), ...(outcome && { outcome }) };
}

/** The fields on which whoever hears of the apply relies. */
const JOB = { jobId: text };
const BEGINNING = { job: { id: text } };
const OUTCOME = {
  kind: oneOf('applied', 'failed', 'plan-unusable', 'not-begun', 'unknown'),
  counts: optional(object),
  failure: optional({ body: { summary: anyText } }),
  why: optional(anyText),
};

const NOT_BEGUN: ApplyOutcome = { kind: 'not-begun' };

function asksFor({ activityTaskScheduledEventAttributes: scheduled }: HistoryEvent, activity: Activity): boolean {
  return scheduled?.activityType?.name === activity;
}

/** The id of the event that scheduled the activity that ended here. */
function endedBy(event: HistoryEvent) {
  const end =
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes;
  return end?.scheduledEventId;
}

/** As the workflow itself judges it: no host took the apply, its host declined it, or it was cancelled before it began. */
function isUnbegun(end: HistoryEvent): boolean {
  const type = end.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.type;
  const declined = type === 'HOST_DECLINED' || type === PAYLOAD_KEY_MISSING;
  const timeout = end.activityTaskTimedOutEventAttributes?.failure?.timeoutFailureInfo?.timeoutType;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-comparison -- no package of ours may name the enum
  return declined || timeout === NOT_TAKEN || Boolean(end.activityTaskCanceledEventAttributes);
}

async function outcomeIn(reading: Reading, end: HistoryEvent): Promise<ApplyOutcome | undefined> {
  const completed = end.activityTaskCompletedEventAttributes;
  if (!completed) return undefined;
  return (await readMessage(reading, completed.result, OUTCOME)) as ApplyOutcome | undefined; // The contract of both activities.
}

/** The last job for which permission was asked: the audit trail may have heard of its start. */
async function lastAnnounced(reading: Reading, events: readonly HistoryEvent[]): Promise<string | undefined> {
  const scheduled = events.findLast((event) => asksFor(event, 'begin'))?.activityTaskScheduledEventAttributes;
  if (!scheduled) return undefined;
  const beginning = (await readMessage(reading, scheduled.input, BEGINNING)) as Beginning | undefined; // The contract of that activity.
  return beginning?.job.id;
}
