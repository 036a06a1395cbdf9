/** A lane as it is stored, and back: one that ended, idle or by force, starts again exactly as it stood. Pure. */
import type { Deployment, LaneRecord } from '@nereid/contracts';
import { bytesOf, bytesOfAll } from './bytes.ts';
import { fitting } from './ended.ts';
import { find, newLane, type LaneState } from './lane-state.ts';
import { inOrder, insert, remove } from './queue.ts';
import { isSeen, remember } from './seen.ts';
import { joinLifted, unlessLifted } from './unlock.ts';

/** What a stored record says of a lane. */
export function fromRecord(record: LaneRecord): LaneState {
  return {
    ...newLane,
    latest: record.latest,
    lock: record.lock,
    lifted: record.lifted ?? [],
    running: record.running,
    queue: { manual: record.manual, merged: record.merged },
    ended: record.ended ?? [],
    seen: record.seen,
  };
}

/**
 * What another writer stored is joined to a lane that did not know it. The later `latest` is true; a lock that either
 * knows holds; what ran there still runs, what waited there and was never seen here waits, and none of it waits twice.
 */
export function joinRecord(state: LaneState, record: LaneRecord): LaneState {
  const latest = [state.latest, record.latest].reduce((one, other) =>
    one === undefined || (other !== undefined && other.at > one.at) ? other : one,
  );
  const lifted = joinLifted(state.lifted, record.lifted ?? []);
  const lock = unlessLifted(state.lock ?? record.lock, lifted);
  const isOverHere = state.ended.some(({ id }) => id === record.running?.id);
  const theirs = isOverHere ? undefined : record.running;
  const running = state.running ?? theirs;
  const ended = (record.ended ?? []).filter(({ id }) => !state.ended.some((known) => known.id === id));
  const isNotWaiting = new Set([...(running ? [running] : []), ...ended].map(({ id }) => id));
  const queue = remove(state.queue, isNotWaiting);
  const own = { ...state, latest, lock, lifted, running, queue, ended: [...state.ended, ...ended] };
  // Where something else runs here, its start finds what was started there.
  const waiting = theirs && { ...theirs, progress: { ...theirs.progress, status: 'queued' as const } };
  return [...(waiting ? [waiting] : []), ...record.manual, ...record.merged].reduce(takeOver, own);
}

function takeOver(state: LaneState, waiting: Deployment): LaneState {
  if (find(state, waiting.id) !== undefined || isSeen(state.seen, waiting)) return state;
  return { ...state, queue: insert(state.queue, waiting), seen: remember(state.seen, waiting) };
}

/**
 * What runs, waits and ended takes at most this much of a message to Temporal, whose limit is 2 MiB. The rest has room for all
 * that a lane knows beside them: what it has seen, notices, ids and digests of what check runs say.
 */
const DEPLOYMENTS_BYTES = 1_600_000;

/** What ended, as far as a message has room for it. */
export function endedWithin(
  { running, queue }: LaneState,
  ended: readonly Deployment[],
  isRecorded: (deployment: Deployment) => boolean,
): readonly Deployment[] {
  const others = bytesOfAll(inOrder(queue)) + (running === undefined ? 0 : bytesOf(running));
  return fitting(ended, DEPLOYMENTS_BYTES - others, isRecorded);
}

export interface RecordFrame extends Pick<LaneRecord, 'repository' | 'rootName' | 'writer'> {
  /** Of the ended ones, those that somebody does not know of yet. */
  readonly untold: readonly Deployment[];
  /** Whether the own record of one of them is stored. */
  readonly isRecorded: (deployment: Deployment) => boolean;
}

/** What of a lane is stored. */
export function toRecord(state: LaneState, { untold, isRecorded, ...frame }: RecordFrame): LaneRecord {
  const { repository, rootName, writer } = frame;
  const ended = endedWithin(state, untold, isRecorded);
  return {
    version: 1,
    repository,
    rootName,
    ...(state.latest && { latest: state.latest }),
    ...(state.lock && { lock: state.lock }),
    ...(state.lifted.length > 0 && { lifted: state.lifted }),
    ...(state.running && { running: state.running }),
    manual: state.queue.manual,
    merged: state.queue.merged,
    ...(ended.length > 0 && { ended }),
    seen: state.seen,
    writer,
  };
}
