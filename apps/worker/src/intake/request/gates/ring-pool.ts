/** Tells the deployments that run in a pool, or in any, that a gate may be open, or looks which of them are applied. */
import { ALL_POOLS, describePool } from '@nereid/domain/gates';
import type { LaneRecord } from '@nereid/domain/lane';
import { fullName, poolOf } from '@nereid/domain/root';
import type { LaneName } from '@nereid/storage';
import { askAgain } from '../../../lane/ask-again.ts';
import { wakeLane } from '../../../lane/signal-lane.ts';
import type { WorkerContext } from '../../../platform/context.ts';
import { mayApply, type TurnContext } from './applies.ts';
import { VISIT_MS, visitLanes, type VisitContext, type WantedLanes } from './visit-lanes.ts';

type Running = NonNullable<LaneRecord['running']>;

/** Three seconds of reading. The others ask by themselves, within an hour. */
const LANES_LIMIT = 2_000;

/** Returns whether all were told. Never throws: nothing depends on it. */
export function ringPool(context: VisitContext & Pick<WorkerContext, 'temporal'>, pool: string): Promise<boolean> {
  return visitRunning(context, pool, async ({ id }, { repository, rootName }) => {
    await Promise.all([wakeLane(context, repository, rootName, { withinMs: VISIT_MS }), askAgain(context, id)]);
  });
}

export interface KnownApplies {
  /** `owner/name/root` of those that run or have permission to begin. */
  readonly names: readonly string[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** Never throws. */
export async function listApplies(context: VisitContext & TurnContext, pool: string): Promise<KnownApplies> {
  const names: string[] = [];
  const isComplete = await visitRunning(context, pool, async (running, { repository, rootName }) => {
    if (await mayApply(context, repository, rootName, running)) names.push(`${fullName(repository)}/${rootName}`);
  });
  // A lane that comes too late changes nothing of it.
  return { names: names.toSorted(), isComplete };
}

function visitRunning(
  context: VisitContext,
  pool: string,
  visit: (running: Running, record: LaneRecord) => Promise<void>,
): Promise<boolean> {
  const all: WantedLanes = { isWanted: () => true, limit: LANES_LIMIT, of: describePool(pool) };
  return visitLanes(context, all, async (lane: LaneName) => {
    const record = (await context.laneRecords.read(lane, lane.rootName))?.record;
    const running = record?.running;
    if (record === undefined || running === undefined) return;
    if (pool !== ALL_POOLS && poolOf(running.root) !== pool) return;
    await visit(running, record);
  });
}
