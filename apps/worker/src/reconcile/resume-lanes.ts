/** Lanes that were ended by force, while something ran or waited in them. */
import { laneWorkflowId, MESSAGE, parseLaneWorkflowId, WORKFLOW, type LaneRecord } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { signalLane } from '../lane/signal-lane.ts';

/** More lanes at once are ended by nobody but by mistake; the next run takes the rest. */
const LANES_LIMIT = 500;

/** Starts each of them, which goes on as its record says. Answers their ids. */
export async function resumeLanes(context: WorkerContext, since: string): Promise<readonly string[]> {
  const { temporal, laneRecords } = context;
  const resumed: string[] = [];
  const query = `WorkflowType = '${WORKFLOW.deploy}' AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut') AND CloseTime > '${since}'`;
  const seen = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query })) {
    const lane = parseLaneWorkflowId(workflowId);
    if (lane === undefined || seen.has(workflowId)) continue;
    seen.add(workflowId);
    if (seen.size > LANES_LIMIT) break;
    const record = (await laneRecords.read(lane, lane.rootName))?.record;
    if (record === undefined || !hasWork(record) || (await isRunning(context, record))) continue;
    await signalLane(context, record.repository, record.rootName, { name: MESSAGE.resume, body: { version: 1 } });
    resumed.push(`resumed ${workflowId}`);
  }
  return resumed;
}

function hasWork({ running, manual, merged }: LaneRecord): boolean {
  return running !== undefined || manual.length > 0 || merged.length > 0;
}

async function isRunning({ temporal }: WorkerContext, { repository, rootName }: LaneRecord): Promise<boolean> {
  const { status } = await temporal.workflow.getHandle(laneWorkflowId(repository, rootName)).describe();
  return status.name === 'RUNNING';
}
