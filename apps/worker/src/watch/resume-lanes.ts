/**
 * Resumes lanes that do not run although their records have work: a deployment that runs or waits, or an end that was not
 * reported yet. They were ended by force, or Temporal's database was lost, however long ago that was. Those that were ended by
 * force lately are found by one question to Temporal, the others by a look at all records.
 */
import { laneWorkflowId, type LaneRecord } from '@nereid/domain/lane';
import { MESSAGE, SEARCH_ATTRIBUTE, WORKFLOW } from '@nereid/domain/temporal-names';
import { defineSearchAttributeKey } from '@temporalio/common';
import pMap from 'p-map';
import type { WorkerContext } from '../platform/context.ts';
import { signalLane } from '../lane/signal-lane.ts';

/** Storage and Temporal have others to answer meanwhile; 5,000 records are read within half a minute. */
const AT_ONCE = 20;

/** Lanes are believed to rest for this long. Then their records are read again, in case Temporal has lost a run. */
const TRUSTED_MS = 60 * 60_000;

/** Temporal lists a closed run some seconds late. */
const LISTED_LATE_MS = 60_000;

/** Covers some missed minutes. */
const LATELY_MS = 10 * 60_000;

/** Nobody ends more at once except by mistake; the look at all records finds the rest. */
const ENDED_LIMIT = 500;

const REPOSITORY = defineSearchAttributeKey(SEARCH_ATTRIBUTE.repository, 'KEYWORD');
const ROOT = defineSearchAttributeKey(SEARCH_ATTRIBUTE.root, 'KEYWORD');

type Context = Pick<WorkerContext, 'temporal' | 'laneRecords' | 'logger'>;

/** The lanes that this process knows to be without work. */
interface Resting {
  readonly lanes: Set<string>;
  readonly since: number;
  readonly lookedAt: number;
}

/**
 * Starts each of these lanes, which goes on as its record says. A failure does not stop the others. Returns a sentence for
 * each. Another attempt finds the started lanes running, and goes on with the others.
 */
export function createResumeLanes(context: Context): (signal: AbortSignal, now: number) => Promise<readonly string[]> {
  let resting: Resting | undefined;
  return async (signal, now) => {
    const isTrusted = resting !== undefined && now - resting.since < TRUSTED_MS;
    const known =
      isTrusted && resting !== undefined ? resting : { lanes: new Set<string>(), since: now, lookedAt: now };
    const { open, closed } = await listRuns(context, known.lookedAt - LISTED_LATE_MS);
    for (const id of [...open, ...closed]) known.lanes.delete(id);
    const lost = (await listLanes(context)).filter(({ id }) => !open.has(id) && !known.lanes.has(id));
    const found = await pMap(
      lost,
      async (lane) => {
        signal.throwIfAborted();
        return await lookAfter(context, lane, known.lanes);
      },
      { concurrency: AT_ONCE },
    );
    resting = { ...known, lookedAt: now };
    return found.flat();
  };
}

/** The same for lanes that were ended by force lately. A deployment may have returned its end to one of them, and somebody waits. */
export async function resumeEnded(context: Context, signal: AbortSignal, now: number): Promise<readonly string[]> {
  const found = await pMap(
    await listEnded(context, now),
    async (lane) => {
      signal.throwIfAborted();
      const { status } = await context.temporal.workflow.getHandle(lane.id).describe();
      return status.name === 'RUNNING' ? [] : await lookAfter(context, lane, new Set());
    },
    { concurrency: AT_ONCE },
  );
  return found.flat();
}

async function listEnded({ temporal }: Context, now: number): Promise<readonly Lane[]> {
  const since = new Date(now - LATELY_MS).toISOString();
  const query = `WorkflowType = '${WORKFLOW.deploy}' AND ExecutionStatus IN ('Terminated', 'Failed', 'TimedOut') AND CloseTime > '${since}'`;
  const lanes = new Map<string, Lane>();
  for await (const { workflowId: id, typedSearchAttributes } of temporal.workflow.list({ query })) {
    const [owner, name] = typedSearchAttributes.get(REPOSITORY)?.split('/') ?? [];
    const rootName = typedSearchAttributes.get(ROOT);
    if (owner && name && rootName !== undefined) lanes.set(id, { id, owner, name, rootName });
    if (lanes.size === ENDED_LIMIT) break;
  }
  return [...lanes.values()];
}

/** The lanes that run, and those that closed since then: only a run changes a record. */
async function listRuns({ temporal }: Context, sinceMs: number) {
  const open = new Set<string>();
  const closed = new Set<string>();
  const since = new Date(sinceMs).toISOString();
  const query = `WorkflowType = '${WORKFLOW.deploy}' AND (ExecutionStatus = 'Running' OR CloseTime > '${since}')`;
  for await (const { workflowId, status } of temporal.workflow.list({ query })) {
    (status.name === 'RUNNING' ? open : closed).add(workflowId);
  }
  return { open, closed };
}

interface Lane {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly rootName: string;
}

async function listLanes({ laneRecords }: Context): Promise<readonly Lane[]> {
  const lanes: Lane[] = [];
  for await (const lane of laneRecords.list()) lanes.push({ ...lane, id: laneWorkflowId(lane, lane.rootName) });
  return lanes;
}

/** Returns a sentence if there was something to do. */
async function lookAfter(context: Context, lane: Lane, resting: Set<string>): Promise<readonly string[]> {
  try {
    const record = (await context.laneRecords.read(lane, lane.rootName))?.record;
    if (record === undefined || !hasWork(record)) {
      resting.add(lane.id);
      return [];
    }
    await signalLane(context, record.repository, record.rootName, { name: MESSAGE.resume, body: { version: 1 } });
    context.logger.info({ lane: lane.id }, 'a lane that did not run goes on');
    return [`resumed ${lane.id}`];
  } catch (error) {
    context.logger.warn({ err: error, lane: lane.id }, 'a lane could not be resumed');
    return [`could not resume ${lane.id}: the log says why`];
  }
}

function hasWork({ running, manual, merged, ended = [] }: LaneRecord): boolean {
  return running !== undefined || manual.length + merged.length + ended.length > 0;
}
