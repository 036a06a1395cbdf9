/** Asks Temporal about the workflows of the story. */
import type { Progress } from '@nereid/domain/deployment';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { createTemporalClient, readTemporalConfig } from '@nereid/process';
import { Connection, type Client } from '@temporalio/client';
import type { Stack } from '../stack/stack.ts';

export interface Workflows extends AsyncDisposable {
  isThere(workflowId: string): Promise<boolean>;
  /** A deployment's progress, as its own workflow tells it. */
  progress(deploymentId: string): Promise<Progress>;
  /** The host that has taken a deployment's plan, as Temporal knows it of a plan that is not made yet. */
  plannerOf(deploymentId: string): Promise<string | undefined>;
  /** How many events the histories of all workflows have, by workflow type. */
  historyEvents(): Promise<Readonly<Record<string, number>>>;
  /** The ids of workflows that failed, were terminated or timed out. */
  failed(): Promise<readonly string[]>;
}

export async function openWorkflows(stack: Pick<Stack, 'temporalAddress' | 'payloadKey'>): Promise<Workflows> {
  const { workflow, connection } = await openClient(stack);
  return {
    isThere: (workflowId) =>
      workflow
        .getHandle(workflowId)
        .describe()
        .then(
          () => true,
          () => false,
        ),
    progress: (deploymentId) => workflow.getHandle(deploymentId).query<Progress>(MESSAGE.progress),
    async plannerOf(deploymentId) {
      const { raw } = await workflow.getHandle(deploymentId).describe();
      const planning = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'claimAndPlan');
      const isTaken = (planning?.heartbeatDetails?.payloads ?? []).length > 0;
      return isTaken ? (planning?.lastWorkerIdentity ?? undefined) : undefined;
    },
    async historyEvents() {
      const counts: Record<string, number> = {};
      for await (const { workflowId, runId, type } of workflow.list()) {
        const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
        counts[type] = (counts[type] ?? 0) + (events?.length ?? 0);
      }
      return counts;
    },
    async failed() {
      const query = "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')";
      const ids: string[] = [];
      for await (const { workflowId } of workflow.list({ query })) ids.push(workflowId);
      return ids;
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

/** Reads and writes as the processes of the stack do. Close its connection. */
export async function openClient({
  temporalAddress,
  payloadKey,
}: Pick<Stack, 'temporalAddress' | 'payloadKey'>): Promise<Client> {
  const read = readTemporalConfig({ TEMPORAL_ADDRESS: temporalAddress, PAYLOAD_KEY: payloadKey?.value });
  if (read.kind === 'invalid') throw new Error(read.problems[0]?.message);
  const connection = await Connection.connect({ address: temporalAddress });
  return createTemporalClient(read.config, { connection });
}
