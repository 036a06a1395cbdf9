/**
 * Workflows that are stuck: replaying their history, their code decides otherwise than it did, and Temporal tries the same
 * task again for ever. A mistake in a release does that, and so does a query in the middle of a task with a local activity
 * (SDK 1.24), which the Temporal UI's page of a workflow asks.
 */
import { WORKFLOW } from '@nereid/contracts';
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';

/** A busy lane is told a lot while it is stuck. */
const EVENTS_READ = 200;

/** `WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR` of temporal/api/enums/v1/failed_cause.proto. */
const NON_DETERMINISTIC = 24;

const QUERY = `WorkflowType IN ('${WORKFLOW.deploy}', '${WORKFLOW.terraform}') AND ExecutionStatus = 'Running'`;

/**
 * Has stuck lanes begin again at their record, with every message since, and ends stuck terraform workflows nobody works
 * for: their lane tells what is known of them. One that cannot be mended stops no other. Answers a sentence for each.
 */
export async function mendStuck(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const mended: string[] = [];
  const failures: unknown[] = [];
  for await (const workflow of temporal.workflow.list({ query: QUERY })) {
    signal.throwIfAborted();
    try {
      const sentence = await mend(temporal, workflow);
      if (sentence === undefined) continue;
      logger.error({ workflowId: workflow.workflowId, runId: workflow.runId }, sentence);
      mended.push(sentence);
    } catch (error) {
      logger.warn({ err: error, workflowId: workflow.workflowId }, 'a stuck workflow could not be mended');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return mended;
}

/** Undefined: it is not stuck, or has to wait. */
async function mend(temporal: Client, { workflowId, runId, type }: WorkflowExecutionInfo): Promise<string | undefined> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  const { raw } = await handle.describe();
  if ((raw.pendingWorkflowTask?.attempt ?? 0) < 2) return undefined;
  if (!(await decidesOtherwise(temporal, { workflowId, runId }))) return undefined;

  if (type === WORKFLOW.deploy) {
    if (!(await beginAgain(temporal, { workflowId, runId }))) return undefined;
    return `the lane ${workflowId} was stuck, and begins again at its record`;
  }
  // What a host still does for it ends first.
  if ((raw.pendingActivities ?? []).length > 0) return undefined;
  await handle.terminate('It was stuck: its code decides otherwise than its history says.');
  return `the terraform workflow ${workflowId} was stuck, and was ended`;
}

interface Run {
  readonly workflowId: string;
  readonly runId: string;
}

/** Of tries in a row, Temporal writes only the first to the history. */
async function decidesOtherwise({ workflow }: Client, execution: Run): Promise<boolean> {
  const { history } = await workflow.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: workflow.options.namespace,
    execution,
    maximumPageSize: EVENTS_READ,
  });
  for (const { workflowTaskFailedEventAttributes, workflowTaskCompletedEventAttributes } of history?.events ?? []) {
    if (workflowTaskFailedEventAttributes) return Number(workflowTaskFailedEventAttributes.cause) === NON_DETERMINISTIC;
    if (workflowTaskCompletedEventAttributes) return false;
  }
  return false;
}

/** Its first task is done again in a new run, to which Temporal hands all messages since. False: it never did its first. */
async function beginAgain({ workflow }: Client, { workflowId, runId }: Run): Promise<boolean> {
  // One that began again once has all messages of before in front of its first task.
  const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
  const firstTask = events?.find(({ workflowTaskCompletedEventAttributes: done }) => done);
  if (!firstTask?.eventId) return false;
  await workflow.workflowService.resetWorkflowExecution({
    namespace: workflow.options.namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId: firstTask.eventId,
    // Another attempt at this activity is the same request.
    requestId: `begin-again-${runId}`,
    reason: 'It was stuck: its code decides otherwise than its history says.',
  });
  return true;
}
