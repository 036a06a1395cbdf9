/** What the last watch came to. Its Schedule does not hand it over: `lastResult` was empty in both of two runs (server 1.29.1). */
import { WORKFLOW, type WatchResult } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';

const QUERY = `WorkflowType = '${WORKFLOW.watch}' AND ExecutionStatus = 'Completed'`;

/** The newest that Temporal lists, which may be a round older than the last one; null where it knows none. */
export async function readLastWatch({ temporal }: Pick<WorkerContext, 'temporal'>): Promise<WatchResult | null> {
  for await (const { workflowId, runId } of temporal.workflow.list({ query: QUERY, pageSize: 1 })) {
    return (await temporal.workflow.getHandle(workflowId, runId).result()) as WatchResult; // The contract of that workflow.
  }
  return null;
}
