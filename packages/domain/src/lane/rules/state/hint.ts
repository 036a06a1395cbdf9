/**
 * A record that the sender of a message read before the lane began saves the lane its own reading. It may be out of date, and
 * somebody else may have made it up: whatever the lane stores compares the version, and permission to apply is judged by the record
 * that is stored. Only a lane at rest is opened with one: then there is no lock that could have been lifted since, and nothing that
 * could have ended.
 */
import { count, differsFrom, list, text, type MessageShape } from '../../../message-shape.ts';
import type { StoredLane } from '../../activities.ts';
import type { LaneHint } from '../../input.ts';
import type { LaneRecord } from '../../record.ts';

const READ = {
  manual: list,
  merged: list,
  seen: { requestIds: list, merges: list },
  writer: { runId: text, sequence: count },
} as const satisfies MessageShape;

/** A run that is reset begins with the hint of the first one, but later than that. Clocks may differ by as much. */
const HINT_MS = 5_000;

/** Whether a lane that begins at `now`, in epoch milliseconds, can be opened with it. */
export function isUsable({ stored, at }: LaneHint, now: number): boolean {
  return Math.abs(now - at) <= HINT_MS && isHint(stored);
}

/** Whether it is worth to be sent with a message. Null says that the root has no record yet. */
export function isHint(stored: StoredLane | null): boolean {
  return stored === null || (differsFrom(READ, stored.record) === undefined && isAtRest(stored.record));
}

function isAtRest({ lock, running, manual, merged, ended = [] }: LaneRecord): boolean {
  const open = manual.length + merged.length + ended.length;
  return lock === undefined && running === undefined && open === 0;
}
