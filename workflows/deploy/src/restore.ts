/**
 * Reads the lane's record. While that cannot be done, nothing is guessed: the lane pops nothing, keeps its messages, and says
 * which record it is and why, until somebody has mended it.
 */
import type { CarriedLane, RestoredLane, StoredLane } from '@nereid/contracts';
import { isCancellation, sleep, TimeoutFailure } from '@temporalio/workflow';
import { causeOf, restoreLane, restoreLanePatiently } from './activities.ts';
import { takeArrivals } from './arrivals.ts';
import type { Lane } from './lane.ts';
import { deploymentsOf, newLane } from './lane-state.ts';
import { fromRecord } from './record.ts';

/** Reasons that are shown one after the other. Each is ten events of history, and a lane without its record begins no new one. */
const REASONS_SHOWN = 10;

/** Long enough for a path and what is wrong with it. */
const WHY_LIMIT = 1_000;

/** Reads the record and applies what came in meanwhile. */
export async function restore(lane: Lane): Promise<void> {
  if (!lane.isRestored) {
    const stored = await readRecord(lane);
    lane.recordVersion = stored?.version ?? null;
    const { carried } = lane;
    if (carried !== undefined && isUpToDate(carried, stored)) takeCarried(lane, carried);
    else takeStored(lane, stored);
    lane.isRestored = true;
  }
  takeArrivals(lane);
}

/** A run that is reset starts with what it was handed over long ago: what was stored since is true. */
function isUpToDate(carried: CarriedLane, stored: StoredLane | null): boolean {
  return stored === null || stored.version === carried.recordVersion;
}

/** It may be newer than the record: it is stored once more. */
function takeCarried(lane: Lane, { record, notices, mayExist, shown = {} }: CarriedLane): void {
  lane.state = { ...fromRecord(record), notices };
  lane.sequence = record.writer.sequence;
  lane.hasStoredUntold = record.ended !== undefined;
  for (const id of mayExist) lane.mayExist.add(id);
  for (const [id, digest] of Object.entries(shown)) lane.shown.set(id, digest);
}

function takeStored(lane: Lane, stored: StoredLane | null): void {
  lane.state = stored === null ? newLane : fromRecord(stored.record);
  lane.sequence = stored?.record.writer.sequence ?? 0;
  lane.stored = lane.state;
  lane.hasStoredUntold = lane.state.ended.length > 0;
  // Whoever ran this lane before may have ended between creating a check run and hearing of it.
  for (const { id } of deploymentsOf(lane.state)) lane.mayExist.add(id);
}

/** Asks until it can be read. An activity that finds what is shown already is tried again without another event of history. */
export async function readRecord(lane: Lane, ask = restoreLane): Promise<StoredLane | null> {
  const { retryMs, retryLimitMs } = lane.durations;
  let waitMs = retryMs;
  for (let reasons = 0; ; reasons += 1) {
    const read = reasons < REASONS_SHOWN ? await readOnce(lane, ask) : await readPatiently(lane);
    if (read.kind === 'restored') {
      lane.unreadable = undefined;
      return read.stored;
    }
    lane.unreadable = read.why;
    // Where one reason takes turns with another.
    await sleep(waitMs);
    waitMs = Math.min(waitMs * 2, retryLimitMs);
  }
}

function readOnce({ repository, rootName, unreadable }: Lane, ask: typeof restoreLane): Promise<RestoredLane> {
  return ask(repository, rootName, unreadable ?? null);
}

/** Where each look finds another reason: the next one that is said is an hour's last. */
async function readPatiently({ repository, rootName }: Lane): Promise<RestoredLane> {
  try {
    return await restoreLanePatiently(repository, rootName);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'unreadable', why: messageOf(error) };
  }
}

/** Of what was thrown last: an activity that ran out of time in the middle of a look has it as its cause. */
export function messageOf(error: unknown): string {
  const cause = causeOf(error);
  const thrown = cause instanceof TimeoutFailure ? (cause.cause ?? cause) : cause;
  return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, WHY_LIMIT);
}
