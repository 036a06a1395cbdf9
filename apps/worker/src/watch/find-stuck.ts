/**
 * Workflows that are stuck: Temporal tries the same workflow task again and again. A mistake in a release does that, and so
 * does a history too long for its worker. Nothing is lost meanwhile: messages wait, a gate stays open.
 */
import { WORKFLOW } from '@nereid/contracts';
import { WorkflowNotFoundError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import type { WorkerContext } from '../context.ts';
import { mapAtOnce } from '../intake/map-at-once.ts';

export interface Looked {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** `unknown`: Temporal did not say. */
  readonly how: 'goes-on' | 'stuck' | 'unknown';
}

export interface Trouble {
  /** For everybody. */
  readonly reason: string;
  /** For operators. */
  readonly failure?: string;
}

/** A task that was lost with its worker is done by the next one. Two failures in a row are the task's own. */
const STUCK_ATTEMPT = 3;

/** 5,000 open workflows are looked at in some five seconds, and Temporal has others to answer. */
const AT_ONCE = 10;

const QUERY = `WorkflowType IN ('${WORKFLOW.deploy}', '${WORKFLOW.terraform}') AND ExecutionStatus = 'Running'`;

/** How each open lane and deployment is. */
export async function lookAtAll(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  signal: AbortSignal,
): Promise<readonly Looked[]> {
  const open: WorkflowExecutionInfo[] = [];
  for await (const workflow of temporal.workflow.list({ query: QUERY })) open.push(workflow);
  const looked = await mapAtOnce(AT_ONCE, open, async ({ workflowId, runId, type }) => {
    signal.throwIfAborted();
    try {
      const how = await lookAt(temporal, workflowId, runId);
      return how === undefined ? [] : [{ workflowId, runId, type, how }];
    } catch (error) {
      logger.warn({ err: error, workflowId }, 'a workflow could not be looked at');
      return [{ workflowId, runId, type, how: 'unknown' } as const];
    }
  });
  return looked.flat();
}

/** Undefined: it has closed meanwhile. */
async function lookAt({ workflow }: Client, workflowId: string, runId: string): Promise<Looked['how'] | undefined> {
  try {
    const { status, raw } = await workflow.getHandle(workflowId, runId).describe();
    if (status.name !== 'RUNNING') return undefined;
    return (raw.pendingWorkflowTask?.attempt ?? 0) >= STUCK_ATTEMPT ? 'stuck' : 'goes-on';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** A lane is told a lot while it is stuck: this many events are read for the last end of a task. */
const EVENTS_READ = 200;

/** `WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR` of temporal/api/enums/v1/failed_cause.proto. */
const NON_DETERMINISTIC = 24;

const FAILURE_LIMIT = 1_000;

/** Why a stuck workflow is stuck. Of failures in a row, Temporal writes only the first to the history. */
export async function troubleOf(
  { workflow }: Client,
  execution: Pick<Looked, 'workflowId' | 'runId'>,
): Promise<Trouble> {
  const { workflowId, runId } = execution;
  const { history } = await workflow.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: workflow.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: EVENTS_READ,
  });
  for (const event of history?.events ?? []) {
    if (event.workflowTaskTimedOutEventAttributes)
      return { reason: 'its task takes longer than Temporal waits for it' };
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed) return describeFailure(Number(failed.cause), failed.failure?.message ?? undefined);
  }
  return { reason: 'its task fails' };
}

function describeFailure(cause: number, message: string | undefined): Trouble {
  const reason = cause === NON_DETERMINISTIC ? 'its code decides otherwise than its history says' : 'its task fails';
  return { reason, ...(message !== undefined && { failure: message.slice(0, FAILURE_LIMIT) }) };
}
