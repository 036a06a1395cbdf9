/** Reads the result of the last watch. Its Schedule does not pass it on: `lastResult` was empty in two runs (server 1.29.1). */
import type { WatchResult } from '@nereid/domain/activities';
import { WORKFLOW } from '@nereid/domain/temporal-names';
import type { WorkerContext } from '../platform/context.ts';

const QUERY = `WorkflowType = '${WORKFLOW.watch}' AND ExecutionStatus = 'Completed'`;

/** The newest result that Temporal lists, which may be a round older than the last one; null when it lists none. */
export async function readLastWatch({ temporal }: Pick<WorkerContext, 'temporal'>): Promise<WatchResult | null> {
  for await (const { workflowId, runId } of temporal.workflow.list({ query: QUERY, pageSize: 1 })) {
    return (await temporal.workflow.getHandle(workflowId, runId).result()) as WatchResult; // The contract of that workflow.
  }
  return null;
}
