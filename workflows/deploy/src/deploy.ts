/**
 * The deploy workflow: one lane, for as long as it has work.
 *
 * Handlers record, this loop acts, pure functions decide. What it means to be first, to be locked, to be deployable
 * stands in queue.ts, lock.ts and verdict.ts; what check runs say, in presentation.ts.
 */
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { LaneInput } from '@nereid/contracts';
import { describeLane, describeUnrestored, stateName } from './describe.ts';
import { cancelRunning, passCancellationsOn } from './cancel-running.ts';
import { endWaiting } from './ended.ts';
import { hasTurn, isEmpty, isTimeToCarryOn, openLane, timestamp, whyBlocked, type Lane } from './lane.ts';
import { pop } from './lane-state.ts';
import { takeMessages } from './messages.ts';
import { carriedShown, keepPresented, presentOnce, presentRest } from './present.ts';
import { nextRead, withoutRead } from './notices.ts';
import { restore } from './restore.ts';
import { followAgain, run } from './run.ts';
import { STATE } from './search-attributes.ts';
import {
  isAllTold,
  isDirty,
  isSettled,
  keepRecorded,
  keepStored,
  recordEnded,
  recordOf,
  renewRecord,
  store,
} from './store.ts';

/** Idle lanes of one merge would otherwise all end, and write, in the same second. */
const IDLE_JITTER = 0.1;

const WHY_CANCELLED = 'The lane was cancelled in Temporal.';

export async function deploy(input: LaneInput): Promise<void> {
  const lane = openLane(input);
  takeMessages(lane);
  const working = work(lane);
  try {
    await Promise.race([
      keepPresented(lane),
      keepStored(lane),
      keepRecorded(lane),
      passCancellationsOn(lane),
      carryOnWhileFollowing(lane),
      keepDescribed(lane),
      keepBlockedShown(lane),
      dropReadNotices(lane),
      working,
    ]);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endCancelled(lane, working));
    if (isEmpty(lane)) throw error;
  }
  // What came after the request to cancel is kept.
  if (!isEmpty(lane)) await CancellationScope.nonCancellable(() => carryOn(lane));
}

/** Returns when there is nothing left to do. */
async function work(lane: Lane): Promise<void> {
  await restore(lane);
  while (!CancellationScope.current().consideredCancelled) {
    if (!hasTurn(lane)) showState(lane);
    if (lane.state.running !== undefined) await followAgain(lane);
    else if (isTimeToCarryOn(lane) && (await comesToRest(lane))) await carryOn(lane);
    else if (hasTurn(lane)) await runNext(lane);
    else if (!(await somethingComes(lane))) return;
  }
}

async function runNext(lane: Lane): Promise<void> {
  lane.state = pop(lane.state, timestamp());
  lane.runs += 1;
  showState(lane);
  await run(lane);
}

/** What the Temporal UI shows of the lane; no event of history. */
async function keepDescribed(lane: Lane): Promise<never> {
  const parts = () => [lane.state, whyBlocked(lane), lane.isRestored, lane.inbox.length];
  for (let described: readonly unknown[] = []; ;) {
    await condition(() => parts().some((part, index) => part !== described[index]));
    described = parts();
    setCurrentDetails(describe(lane));
  }
}

function describe(lane: Lane): string {
  const blocked = whyBlocked(lane);
  const isKnown = lane.isRestored || blocked === undefined;
  return isKnown ? describeLane(lane.state, blocked) : describeUnrestored(blocked, lane.inbox.length);
}

/** Lists show a lane that waits for somebody to mend its record, and for as long as it does. */
async function keepBlockedShown(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => lane.unreadable !== undefined);
    showState(lane);
    await condition(() => lane.unreadable === undefined);
    showState(lane);
  }
}

/** What a deployment that has moved on still says to who pressed a button of it. */
async function dropReadNotices(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => nextRead(lane.state.notices) !== undefined);
    const due = nextRead(lane.state.notices);
    // Another loop that woke up with this one may have dropped it.
    if (due === undefined) continue;
    await sleep(Math.max(1, Date.parse(due) - Date.now()));
    lane.state = { ...lane.state, notices: withoutRead(lane.state.notices, timestamp()) };
  }
}

/** What lists of the Temporal UI show of the lane. */
function showState(lane: Lane): void {
  const name = stateName(lane.state, lane.unreadable);
  if (name === lane.shownState) return;
  upsertSearchAttributes([{ key: STATE, value: name }]);
  lane.shownState = name;
}

/** False once the lane was idle for long enough, all is told and stored, and nothing waits. */
async function somethingComes(lane: Lane): Promise<boolean> {
  const idleMs = lane.durations.idleMs * (1 + IDLE_JITTER * (2 * Math.random() - 1));
  const isOver = () => hasTurn(lane) || isTimeToCarryOn(lane) || lane.state.running !== undefined;
  for (;;) {
    await condition(() => isOver() || isEmpty(lane));
    if (isOver() || (await condition(() => isOver() || !isEmpty(lane), idleMs))) {
      if (isOver()) return true;
      continue;
    }
    await condition(() => isOver() || isAllTold(lane), lane.durations.retryLimitMs);
    if (isAllTold(lane)) renewRecord(lane);
    await condition(() => isOver() || isSettled(lane), lane.durations.retryLimitMs);
    if (isEmpty(lane) && isSettled(lane)) return false;
  }
}

/** The same lane in a new run, as it stands. */
async function carryOn(lane: Lane): Promise<never> {
  await store(lane);
  await condition(() => isAtRest(lane));
  return await continueAsNew<(input: LaneInput) => Promise<void>>(nextInput(lane));
}

/** False when a deployment gets its turn first: it does not wait until GitHub has answered. */
async function comesToRest(lane: Lane): Promise<boolean> {
  lane.isLeaving = true;
  await condition(() => isAtRest(lane) || hasTurn(lane));
  lane.isLeaving = isAtRest(lane);
  return lane.isLeaving;
}

/** A deployment may wait at its gate for a week, while a busy lane's history grows. The next run finds it again. */
async function carryOnWhileFollowing(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => lane.isFollowing && isTimeToCarryOn(lane));
    lane.isLeaving = true;
    await store(lane);
    await condition(() => !lane.isFollowing || isAtRest(lane));
    lane.isLeaving = lane.isFollowing;
    if (lane.isFollowing && !isDirty(lane)) await continueAsNew<(input: LaneInput) => Promise<void>>(nextInput(lane));
  }
}

/** An answer that is still on its way would find nobody: the record's version, a check run's number. */
function isAtRest(lane: Lane): boolean {
  return allHandlersFinished() && !lane.isPresenting && !lane.isStoring && !lane.isKeeping;
}

function nextInput(lane: Lane): LaneInput {
  return {
    repository: lane.repository,
    rootName: lane.rootName,
    durations: lane.durations,
    carried: {
      record: recordOf(lane),
      recordVersion: lane.recordVersion,
      notices: lane.state.notices,
      mayExist: [...lane.mayExist],
      shown: carriedShown(lane),
    },
  };
}

/** Somebody cancelled the lane: what runs is cancelled with it; what waits ends, and everybody is told. */
async function endCancelled(lane: Lane, working: Promise<void>): Promise<void> {
  await restore(lane);
  lane.state = endWaiting(lane.state, 'cancelled', WHY_CANCELLED, timestamp());
  // GitHub may take its time meanwhile.
  const told = lane.isPresenting ? undefined : presentOnce(lane);
  // The terraform workflow got the request through its parent, and answers with what came of it.
  await working.catch(leaveTheCancellation);
  await cancelRunning(lane, WHY_CANCELLED);
  await recordEnded(lane);
  await store(lane);
  await told;
  await presentRest(lane);
  // What was told by now is in the record no more.
  renewRecord(lane);
  await store(lane);
}

/** The lane's own cancellation, which is being dealt with. */
function leaveTheCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
