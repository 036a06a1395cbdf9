/**
 * Finds stuck workflows: Temporal tries the same workflow task again and again, because of a mistake in a release or of a
 * history too long for its worker. Nothing is lost meanwhile: messages wait, a review stays open.
 */
import { WorkflowNotFoundError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import pMap from 'p-map';
import type { WorkerContext } from '../../platform/context.ts';
import { failureMessage } from '@nereid/process';

export interface Looked {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** `unknown`: Temporal did not say. */
  readonly how: 'goes-on' | 'stuck' | 'unknown';
}

/** A workflow to look at. */
export type Suspect = Pick<Looked, 'workflowId' | 'runId' | 'type'>;

export interface Trouble {
  /** The event of the history with which its last task ended that ended well. Absent if it is not among those that are read. */
  readonly stuckAfter?: number;
  /** For everybody to read. */
  readonly reason: string;
  /** For operators only. */
  readonly failure?: string;
}

/** If a task was lost with its worker, the next attempt succeeds. Two failures in a row are the task's own. */
const STUCK_ATTEMPT = 3;

/** Looking at 5,000 open workflows takes some five seconds, and Temporal has others to answer. */
const AT_ONCE = 10;

/**
 * A search attribute that the server sets when a task of the workflow has failed or timed out five times since the last one that
 * ended well, and removes with the next one that does. Unlike the number of an attempt, it does not begin again with each message.
 */
const REPORTED_PROBLEMS = 'TemporalReportedProblems';

/**
 * Those of the open ones that have to be looked at: by what their list says, which may be some seconds old, and those that were
 * stuck before, listed or not. Where the server reports no problems, all of them.
 */
export async function suspectsAmong(
  context: Pick<WorkerContext, 'temporal'>,
  open: readonly WorkflowExecutionInfo[],
  before: readonly Suspect[],
): Promise<readonly Suspect[]> {
  const listed = new Set(open.map(({ workflowId }) => workflowId));
  const unlisted = before.filter(({ workflowId }) => !listed.has(workflowId));
  if (!(await reportsProblems(context))) return [...open, ...unlisted];
  const known = new Set(before.map(({ workflowId }) => workflowId));
  const suspects = open.filter(({ workflowId, raw }) => known.has(workflowId) || hasProblems(raw.searchAttributes));
  return [...suspects, ...unlisted];
}

/** Whether the server sets that attribute: one may be too old for it, or be told not to. */
async function reportsProblems({ temporal }: Pick<WorkerContext, 'temporal'>): Promise<boolean> {
  const { workflowService, options } = temporal.workflow;
  const { namespaceInfo } = await workflowService.describeNamespace({ namespace: options.namespace });
  return namespaceInfo?.capabilities?.reportedProblemsSearchAttribute === true;
}

function hasProblems(attributes: WorkflowExecutionInfo['raw']['searchAttributes']): boolean {
  return attributes?.indexedFields?.[REPORTED_PROBLEMS] !== undefined;
}

/** Finds out how each of these lanes and deployments is doing. Those that have ended are left out. */
export async function inspectWorkflows(
  { temporal, logger }: Pick<WorkerContext, 'temporal' | 'logger'>,
  suspects: readonly Suspect[],
  signal: AbortSignal,
): Promise<readonly Looked[]> {
  const looked = await pMap(
    suspects,
    async ({ workflowId, runId, type }) => {
      signal.throwIfAborted();
      try {
        const how = await inspectWorkflow(temporal, workflowId, runId);
        return how === undefined ? [] : [{ workflowId, runId, type, how }];
      } catch (error) {
        logger.warn({ err: error, workflowId }, 'a workflow could not be looked at');
        return [{ workflowId, runId, type, how: 'unknown' } as const];
      }
    },
    { concurrency: AT_ONCE },
  );
  return looked.flat();
}

/** Undefined when the workflow has closed meanwhile. */
async function inspectWorkflow(
  { workflow }: Client,
  workflowId: string,
  runId: string,
): Promise<Looked['how'] | undefined> {
  try {
    const { status, raw } = await workflow.getHandle(workflowId, runId).describe();
    if (status.name !== 'RUNNING') return undefined;
    const isStuck =
      hasProblems(raw.workflowExecutionInfo?.searchAttributes) ||
      (raw.pendingWorkflowTask?.attempt ?? 0) >= STUCK_ATTEMPT;
    return isStuck ? 'stuck' : 'goes-on';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** A stuck lane still gets many signals: this many events are searched for the last end of a task. */
const EVENTS_READ = 200;

/** `WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR` of temporal/api/enums/v1/failed_cause.proto. */
const NON_DETERMINISTIC = 24;

const FAILURE_LIMIT = 1_000;

/** Why a stuck workflow is stuck. Temporal writes only the first of several failures in a row to the history. */
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
  const events = history?.events ?? [];
  const done = events.find(({ workflowTaskCompletedEventAttributes: completed }) => completed != null);
  const stuckAfter = done?.eventId == null ? {} : { stuckAfter: Number(done.eventId) };
  for (const event of events) {
    if (event.workflowTaskTimedOutEventAttributes)
      return { reason: 'its task takes longer than Temporal waits for it', ...stuckAfter };
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed) {
      const message = failed.failure ? await failureMessage(workflow.options, failed.failure) : undefined;
      return { ...describeFailure(Number(failed.cause), message), ...stuckAfter };
    }
  }
  return { reason: 'its task fails', ...stuckAfter };
}

function describeFailure(cause: number, message: string | undefined): Trouble {
  const reason = cause === NON_DETERMINISTIC ? 'its code does not match its history' : 'its task fails';
  return { reason, ...(message !== undefined && { failure: message.slice(0, FAILURE_LIMIT) }) };
}
