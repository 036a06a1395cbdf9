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
  workflowInfo,
} from '@temporalio/workflow';
import type { LaneInput } from '@nereid/contracts';
import { describeLane } from './describe.ts';
import { hasTurn, isEmpty, openLane, recordOf, timestamp, type Lane } from './lane.ts';
import { endWaiting, endWith, pop } from './lane-state.ts';
import { takeMessages } from './messages.ts';
import { isPresented, keepPresented, presentOnce } from './present.ts';
import { followAgain, run } from './run.ts';
import { isDirty, keepStored, restore, store, storeEnded } from './store.ts';

/** A run's history stays far below Temporal's limits; the server's own suggestion comes first where lanes are busy. */
const RUNS_UNTIL_CONTINUED = 500;

/** Idle lanes of one merge would otherwise all end, and write, in the same second. */
const IDLE_JITTER = 0.1;

export async function deploy(input: LaneInput): Promise<void> {
  const lane = openLane(input);
  takeMessages(lane);
  try {
    await CancellationScope.cancellable(async () => {
      await restore(lane);
      await Promise.race([keepPresented(lane), keepStored(lane), work(lane)]);
    });
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endCancelled(lane));
    throw error;
  }
  if (!isEmpty(lane)) await carryOn(lane);
}

/** Returns when there is nothing left to do, or when it is time to continue as new. */
async function work(lane: Lane): Promise<void> {
  if (lane.state.running !== undefined) await followAgain(lane);
  for (;;) {
    setCurrentDetails(describeLane(lane.state));
    if (!hasTurn(lane) && !(await somethingComes(lane))) return;
    if (isTimeToCarryOn(lane)) await carryOn(lane);
    lane.state = pop(lane.state, timestamp());
    if (lane.state.running === undefined) continue;
    lane.runs += 1;
    await run(lane);
  }
}

/** False once the lane was idle for long enough, all is told and stored, and nothing waits. */
async function somethingComes(lane: Lane): Promise<boolean> {
  const idleMs = lane.durations.idleMs * (1 + IDLE_JITTER * (2 * Math.random() - 1));
  const isOver = () => hasTurn(lane) || isTimeToCarryOn(lane);
  for (;;) {
    await condition(() => isOver() || isEmpty(lane));
    if (isOver() || (await condition(() => isOver() || !isEmpty(lane), idleMs))) {
      if (isOver()) return true;
      continue;
    }
    await condition(() => isPresented(lane) && !isDirty(lane), lane.durations.retryLimitMs);
    if (isEmpty(lane) && isPresented(lane) && !isDirty(lane)) return false;
  }
}

function isTimeToCarryOn(lane: Lane): boolean {
  return workflowInfo().continueAsNewSuggested || lane.runs >= RUNS_UNTIL_CONTINUED;
}

/** The same lane in a new run, as it stands. */
async function carryOn(lane: Lane): Promise<never> {
  await condition(() => allHandlersFinished() && !lane.isPresenting);
  await store(lane);
  const unpresented = lane.state.ended.filter(({ id }) => lane.shown.get(id) === undefined);
  return await continueAsNew<(input: LaneInput) => Promise<void>>({
    repository: lane.repository,
    rootName: lane.rootName,
    durations: lane.durations,
    carried: { record: recordOf(lane), recordVersion: lane.recordVersion, unpresented },
  });
}

/** Somebody cancelled the lane: what ran was cancelled with it; what waited ends, and everybody is told. */
async function endCancelled(lane: Lane): Promise<void> {
  const at = timestamp();
  const known = new Set(lane.state.ended.map(({ id }) => id));
  lane.state = endWith(lane.state, 'cancelled', 'The lane was cancelled in Temporal.', at);
  lane.state = endWaiting(lane.state, 'cancelled', 'The lane was cancelled in Temporal.', at);
  for (const ended of lane.state.ended.filter(({ id }) => !known.has(id))) await storeEnded(lane, ended);
  await store(lane);
  await presentOnce(lane);
}
