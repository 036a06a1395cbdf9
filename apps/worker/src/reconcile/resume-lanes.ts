/** Lanes that were ended by force, while something ran or waited in them, or somebody was not told of an end yet. */
import { laneWorkflowId, MESSAGE, parseLaneWorkflowId, WORKFLOW, type LaneRecord } from '@nereid/contracts';
import type { WorkerContext } from '../context.ts';
import { signalLane } from '../lane/signal-lane.ts';

/** More lanes at once are ended by nobody but by mistake; the next run takes the rest. */
const LANES_LIMIT = 500;

/** Starts each of them, which goes on as its record says; one that cannot be stops no other. Answers their ids. */
export async function resumeLanes(context: WorkerContext, since: string): Promise<readonly string[]> {
  const { temporal } = context;
  const resumed: string[] = [];
  const failures: unknown[] = [];
  const query = `WorkflowType = '${WORKFLOW.deploy}' AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut', 'Canceled') AND CloseTime > '${since}'`;
  const seen = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query })) {
    const lane = parseLaneWorkflowId(workflowId);
    if (lane === undefined || seen.has(workflowId)) continue;
    seen.add(workflowId);
    if (seen.size > LANES_LIMIT) break;
    try {
      if (await resume(context, lane)) resumed.push(`resumed ${workflowId}`);
    } catch (error) {
      context.logger.warn({ err: error, lane: workflowId }, 'a lane could not be resumed');
      failures.push(error);
    }
  }
  // Those that were resumed are not found again by the next try.
  if (failures.length > 0) throw failures[0];
  return resumed;
}

/** False where there is nothing to go on with, or somebody was faster. */
async function resume(context: WorkerContext, lane: LaneName): Promise<boolean> {
  const record = (await context.laneRecords.read(lane, lane.rootName))?.record;
  if (record === undefined || !hasWork(record) || (await isRunning(context, record))) return false;
  await signalLane(context, record.repository, record.rootName, { name: MESSAGE.resume, body: { version: 1 } });
  return true;
}

type LaneName = NonNullable<ReturnType<typeof parseLaneWorkflowId>>;

function hasWork({ running, manual, merged, ended = [] }: LaneRecord): boolean {
  return running !== undefined || manual.length + merged.length + ended.length > 0;
}

async function isRunning({ temporal }: WorkerContext, { repository, rootName }: LaneRecord): Promise<boolean> {
  const { status } = await temporal.workflow.getHandle(laneWorkflowId(repository, rootName)).describe();
  return status.name === 'RUNNING';
}
