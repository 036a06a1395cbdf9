/** The history that deployments leave in Temporal. */
import { Client, Connection } from '@temporalio/client';

/** Counts the events of all histories, by type of workflow. */
export async function countEvents(address: string): Promise<Readonly<Record<string, number>>> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection });
    const counts: Record<string, number> = {};
    for await (const { type, workflowId, runId } of workflow.list()) {
      // A list does not know the length of a running workflow's history.
      const { historyLength } = await workflow.getHandle(workflowId, runId).describe();
      counts[type] = (counts[type] ?? 0) + historyLength;
    }
    return counts;
  } finally {
    await connection.close();
  }
}
