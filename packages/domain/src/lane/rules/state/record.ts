/** Turns a lane into its record and back: a lane that ended, idle or by force, starts again exactly as it stood. Pure. */
import { defined, type EachOf } from '../../../defined.ts';
import type { Deployment } from '../../../deployment/model.ts';
import type { LaneRecord } from '../../record.ts';
import { bytesOf, bytesOfAll } from '../../../bytes.ts';
import { find, newLane, type LaneState } from './lane-state.ts';
import { fitting } from '../../../deployment/rules/shortened.ts';
import { laterOf } from './latest.ts';
import { joinLifted, unlessLifted } from '../queue/lifted.ts';
import { inOrder, insert, remove } from '../queue/queue.ts';
import { JUDGED_LIMIT } from '../queue/judged.ts';
import { isSeen, remember } from '../queue/seen.ts';
import { joinUndeployed } from './undeployed.ts';

/** The lane that a stored record describes. Each part by name, so that a new one does not compile until somebody has decided. */
export function fromRecord(record: LaneRecord): LaneState {
  return {
    latest: record.latest,
    lock: record.lock,
    lifted: record.lifted ?? [],
    running: record.running,
    queue: { manual: record.manual, merged: record.merged },
    ended: record.ended ?? [],
    undeployed: record.undeployed ?? [],
    seen: record.seen,
    judged: record.judged ?? [],
    // The next run of a lane is handed its notices beside the record.
    notices: newLane.notices,
    ready: newLane.ready,
  };
}

/**
 * Joins the record of another writer to a lane that did not know it: Temporal was restored from a backup, or somebody else ran
 * this lane. The later `latest` is true. If that is the record's, so is its lock. Otherwise the lane's lock holds, or else the
 * record's. A lock that was lifted does not hold. The deployment that ran there still runs, unless one runs here. Deployments
 * that waited there and were never seen here wait, and none of them waits twice.
 */
export function joinRecord(state: LaneState, record: LaneRecord): LaneState {
  const isLaterThere = (record.latest?.at ?? '') > (state.latest?.at ?? '');
  const lifted = joinLifted(state.lifted, record.lifted ?? []);
  const lock = unlessLifted(isLaterThere ? record.lock : (state.lock ?? record.lock), lifted);
  const latest = laterOf(record.latest, state.latest);
  const ended = (record.ended ?? []).filter(({ id }) => !state.ended.some((known) => known.id === id));
  const theirs = state.ended.some(({ id }) => id === record.running?.id) ? undefined : record.running;
  const running = state.running ?? theirs;
  const isOver = new Set([...(running ? [running] : []), ...ended].map(({ id }) => id));
  const judged = [...(record.judged ?? []), ...state.judged].filter(
    ({ requestId }, index, all) => all.findIndex((other) => other.requestId === requestId) === index,
  );
  const { seen, notices, ready } = state;
  const own: LaneState = {
    ...{ latest, lock, lifted, running, seen, notices, ready },
    queue: remove(state.queue, isOver),
    ended: [...state.ended, ...ended],
    undeployed: joinUndeployed(state.undeployed, record.undeployed ?? [], latest),
    judged: judged.slice(-JUDGED_LIMIT),
  };
  return joinWaiting(own, record);
}

/**
 * Adds deployments that wait in a record and were never seen here. One that runs there waits here, too: its start finds the
 * terraform workflow that was started.
 */
export function joinWaiting(state: LaneState, { running, manual, merged }: LaneRecord): LaneState {
  return [...(running ? [waitingAgain(running)] : []), ...manual, ...merged].reduce(addUnseen, state);
}

function waitingAgain({ foundLock: _found, ...deployment }: Deployment): Deployment {
  return { ...deployment, progress: { ...deployment.progress, status: 'queued' } };
}

function addUnseen(state: LaneState, waiting: Deployment): LaneState {
  if (find(state, waiting.id) !== undefined || isSeen(state.seen, waiting)) return state;
  return { ...state, queue: insert(state.queue, waiting), seen: remember(state.seen, waiting) };
}

/**
 * Running, waiting and ended deployments take at most this much of a message to Temporal, whose limit is 2 MiB. The rest is
 * room for everything else: seen and judged requests, notices, the state of check runs, and ended deployments that get their
 * own records.
 */
const DEPLOYMENTS_BYTES = 1_450_000;

/** The ended deployments, as far as a message has room for them. */
export function endedWithin(
  { running, queue }: LaneState,
  ended: readonly Deployment[],
  isRecorded: (deployment: Deployment) => boolean,
): readonly Deployment[] {
  const others = bytesOfAll(inOrder(queue)) + (running === undefined ? 0 : bytesOf(running));
  return fitting(ended, DEPLOYMENTS_BYTES - others, isRecorded);
}

export interface RecordFrame extends Pick<LaneRecord, 'repository' | 'rootName' | 'writer'> {
  /** The ended deployments that the forge or storage does not know of yet. */
  readonly untold: readonly Deployment[];
  /** Whether the deployment's own record is stored. */
  readonly isRecorded: (deployment: Deployment) => boolean;
}

/** The record of a lane, as it is stored. */
export function toRecord(state: LaneState, { untold, isRecorded, ...frame }: RecordFrame): LaneRecord {
  const { repository, rootName, writer } = frame;
  const ended = endedWithin(state, untold, isRecorded);
  return defined<EachOf<LaneRecord>>({
    version: 1,
    repository,
    rootName,
    latest: state.latest,
    lock: state.lock,
    lifted: unlessEmpty(state.lifted),
    running: state.running,
    manual: state.queue.manual,
    merged: state.queue.merged,
    ended: unlessEmpty(ended),
    undeployed: unlessEmpty(state.undeployed),
    seen: state.seen,
    judged: unlessEmpty(state.judged),
    writer,
  });
}

function unlessEmpty<Entry>(list: readonly Entry[]): readonly Entry[] | undefined {
  return list.length > 0 ? list : undefined;
}
