/**
 * Keeps the lane's record in storage true: written when something in it changed, at most once a second, and before a
 * deployment starts.
 */
import { ApplicationFailure, CancellationScope, condition } from '@temporalio/workflow';
import { causeOf, restoreLane, storeDeployment, storeLane } from './activities.ts';
import { recordOf, timestamp, type Lane } from './lane.ts';
import { fromRecord, joinRecord, newLane, type LaneState } from './lane-state.ts';
import { isPresented } from './present.ts';
import { presentations } from './presentation.ts';
import type { Deployment } from '@nereid/contracts';

/** Reads the record and applies what came in meanwhile. */
export async function restore(lane: Lane): Promise<void> {
  if (!lane.isRestored) {
    const stored = await restoreLane(lane.repository, lane.rootName);
    lane.state = stored === null ? newLane : fromRecord(stored.record);
    lane.recordVersion = stored?.version ?? null;
    lane.sequence = stored?.record.writer.sequence ?? 0;
    lane.stored = lane.state;
    lane.isRestored = true;
    // Whoever ran this lane before may have ended between creating a check run and hearing of it.
    for (const { deployment } of presentations(lane.state)) lane.mayExist.add(deployment.id);
  }
  for (const change of lane.inbox.splice(0)) lane.state = change(lane.state);
}

/** The loop: runs as long as the lane does. */
export async function keepStored(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => lane.isRestored && isDirty(lane));
    const { storeMs } = lane.durations;
    const dueInMs = lane.storedAtMs + storeMs - Date.now();
    // Whoever stores it meanwhile stores it for all; and what its check run changes in a moment is stored with it.
    if (dueInMs > 0) await condition(() => !isDirty(lane), dueInMs);
    else await condition(() => isPresented(lane), storeMs);
    await store(lane);
  }
}

/**
 * Returns when what the lane is now stands in storage. A write that was begun is waited for also in a cancelled lane:
 * without its answer nobody knows the record's version.
 */
export async function store(lane: Lane): Promise<void> {
  for (;;) {
    await condition(() => !lane.isStoring);
    if (!isDirty(lane)) return;
    await CancellationScope.nonCancellable(() => storeOnce(lane));
    if (!isDirty(lane)) return;
  }
}

async function storeOnce(lane: Lane): Promise<void> {
  lane.isStoring = true;
  try {
    const { state } = lane;
    lane.sequence += 1;
    lane.recordVersion = await storeLane(recordOf(lane), lane.recordVersion);
    lane.stored = state;
    lane.storedAtMs = Date.now();
  } catch (error) {
    if (!isConflict(error)) throw error;
    await join(lane);
  } finally {
    lane.isStoring = false;
  }
}

/** Another writer's record is never overwritten unread: what it knows and this lane does not is taken over. */
async function join(lane: Lane): Promise<void> {
  const stored = await restoreLane(lane.repository, lane.rootName);
  lane.recordVersion = stored?.version ?? null;
  if (stored !== null) lane.state = joinRecord(lane.state, stored.record);
}

function isConflict(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === 'RECORD_CONFLICT';
}

export async function storeEnded(lane: Lane, deployment: Deployment): Promise<void> {
  const record = { version: 1, repository: lane.repository, deployment, endedAt: timestamp() } as const;
  await CancellationScope.nonCancellable(() => storeDeployment(record));
}

export function isDirty(lane: Lane): boolean {
  return lane.stored === undefined || relevant(lane.stored).some((part, index) => part !== relevant(lane.state)[index]);
}

/** What of the state stands in the record; parts that did not change are the same objects. */
function relevant(state: LaneState): readonly unknown[] {
  return [state.latest, state.lock, state.lifted, state.running, state.queue, state.seen];
}
