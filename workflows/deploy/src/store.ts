/**
 * Keeps the lane's record in storage true: written when something in it changed, at most once a second, and before a
 * deployment starts.
 */
import { condition, sleep } from '@temporalio/workflow';
import { restoreLane, storeDeployment, storeLane } from './activities.ts';
import { recordOf, timestamp, type Lane } from './lane.ts';
import { fromRecord, newLane, type LaneState } from './lane-state.ts';
import type { Deployment } from '@nereid/contracts';

/** Reads the record and applies what came in meanwhile. */
export async function restore(lane: Lane): Promise<void> {
  if (!lane.isRestored) {
    const stored = await restoreLane(lane.repository, lane.rootName);
    lane.state = stored === null ? newLane : fromRecord(stored.record);
    lane.recordVersion = stored?.version ?? null;
    lane.sequence = stored?.record.writer.sequence ?? 0;
    lane.isRestored = true;
  }
  lane.stored = lane.state;
  for (const change of lane.inbox.splice(0)) lane.state = change(lane.state);
}

/** The loop: runs as long as the lane does. */
export async function keepStored(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => lane.isRestored && isDirty(lane));
    await sleep(lane.durations.storeMs);
    await store(lane);
  }
}

/** Returns when what the lane is now stands in storage. */
export async function store(lane: Lane): Promise<void> {
  await condition(() => !lane.isStoring);
  if (!isDirty(lane)) return;
  lane.isStoring = true;
  try {
    const { state } = lane;
    lane.sequence += 1;
    lane.recordVersion = await storeLane(recordOf(lane), lane.recordVersion);
    lane.stored = state;
  } finally {
    lane.isStoring = false;
  }
}

export async function storeEnded(lane: Lane, deployment: Deployment): Promise<void> {
  await storeDeployment({ version: 1, repository: lane.repository, deployment, endedAt: timestamp() });
}

export function isDirty(lane: Lane): boolean {
  return lane.stored === undefined || relevant(lane.stored).some((part, index) => part !== relevant(lane.state)[index]);
}

/** What of the state stands in the record; parts that did not change are the same objects. */
function relevant(state: LaneState): readonly unknown[] {
  return [state.latest, state.lock, state.running, state.queue, state.seen];
}
