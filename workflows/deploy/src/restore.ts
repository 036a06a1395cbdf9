/**
 * Reads the lane's record. While that cannot be done, nothing is guessed: the lane pops nothing, keeps its messages, and says
 * which record it is and why, until somebody has mended it.
 */
import type { StoredLane } from '@nereid/contracts';
import { sleep } from '@temporalio/workflow';
import { restoreLane } from './activities.ts';
import type { Lane } from './lane.ts';
import { newLane } from './lane-state.ts';
import { presentations } from './presentation.ts';
import { fromRecord } from './record.ts';

/** Reads the record and applies what came in meanwhile. */
export async function restore(lane: Lane): Promise<void> {
  if (!lane.isRestored) {
    const stored = await readRecord(lane);
    lane.state = stored === null ? newLane : fromRecord(stored.record);
    lane.recordVersion = stored?.version ?? null;
    lane.sequence = stored?.record.writer.sequence ?? 0;
    lane.stored = lane.state;
    lane.hasStoredUntold = lane.state.ended.length > 0;
    lane.isRestored = true;
    // Whoever ran this lane before may have ended between creating a check run and hearing of it.
    for (const { deployment } of presentations(lane.state)) lane.mayExist.add(deployment.id);
  }
  for (const change of lane.inbox.splice(0)) lane.state = change(lane.state);
}

/** Asks until it can be read. An activity that finds what is shown already is tried again without another event of history. */
export async function readRecord(lane: Lane): Promise<StoredLane | null> {
  const { retryMs, retryLimitMs } = lane.durations;
  for (let waitMs = retryMs; ; waitMs = Math.min(waitMs * 2, retryLimitMs)) {
    const read = await restoreLane(lane.repository, lane.rootName, lane.unreadable ?? null);
    if (read.kind === 'restored') {
      lane.unreadable = undefined;
      return read.stored;
    }
    lane.unreadable = read.why;
    // Where one reason takes turns with another.
    await sleep(waitMs);
  }
}
