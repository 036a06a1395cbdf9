/**
 * A record that the sender of a message read before the lane began saves the lane its own reading. It may be out of date, and
 * somebody else may have made it up: whatever the lane stores compares the version, and permission to apply is judged by the record
 * that is stored. Only a lane at rest is opened with one: then there is no lock that could have been lifted since, and nothing that
 * could have ended.
 */
import { count, differsFrom, list, optional, text, type MessageShape } from '../../../message-shape.ts';
import type { StoredLane } from '../../activities.ts';
import type { LaneHint } from '../../input.ts';
import type { LaneRecord } from '../../record.ts';

const listIfAny = {
  is: (value: unknown) => value === undefined || Array.isArray(value),
  what: 'nothing or a list',
} as const;

const READ = {
  latest: optional({ deploymentId: text, revision: text }),
  manual: list,
  merged: list,
  ended: listIfAny,
  judged: listIfAny,
  lifted: listIfAny,
  undeployed: listIfAny,
  seen: { requestIds: list, merges: list },
  writer: { runId: text, sequence: count },
} as const satisfies Readonly<Record<Exclude<keyof LaneRecord, Elsewhere>, MessageShape[string]>>;

/**
 * Parts whose shape is not asked here: `differsFrom` asks the version, the lane knows its name, and `isAtRest` refuses the
 * others.
 */
type Elsewhere = 'version' | 'repository' | 'rootName' | 'lock' | 'running';

/**
 * The lanes of thousands of roots of one merge all begin within this time. Clocks may differ by as much. A run that is reset begins with
 * the hint of the first one, and mostly later than that.
 */
const HINT_MS = 120_000;

/**
 * The hint with which a lane that begins at `now`, in epoch milliseconds, can be opened with; undefined when it has to read its
 * record.
 */
export function usableIn(hint: LaneHint | undefined, now: number): StoredLane | null | undefined {
  // What came over the wire is not what the type promises.
  const { stored, at }: Partial<LaneHint> = hint ?? {};
  if (typeof at !== 'number' || Math.abs(now - at) > HINT_MS || stored === undefined) return undefined;
  return isHint(stored) ? stored : undefined;
}

/** Whether it is worth to be sent with a message. Null says that the root has no record yet. */
export function isHint(stored: StoredLane | null): boolean {
  if (stored === null) return true;
  return text.is(stored.version) && differsFrom(READ, stored.record) === undefined && isAtRest(stored.record);
}

function isAtRest({ lock, running, manual, merged, ended = [] }: LaneRecord): boolean {
  const open = manual.length + merged.length + ended.length;
  return lock === undefined && running === undefined && open === 0;
}
