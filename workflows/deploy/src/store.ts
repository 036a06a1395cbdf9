/**
 * Keeps the lane's record in storage true: written when something in it changed, at most once a second, and before a
 * deployment starts.
 */
import type { Deployment, LaneRecord } from '@nereid/contracts';
import { ApplicationFailure, CancellationScope, condition, workflowInfo } from '@temporalio/workflow';
import { causeOf, restoreLaneDurably, storeDeployment, storeLane } from './activities.ts';
import { timestamp, type Lane } from './lane.ts';
import { withoutTold } from './ended.ts';
import { forgetUnknown } from './forget.ts';
import type { LaneState } from './lane-state.ts';
import { isPresented, unpresented } from './present.ts';
import { joinRecord, toRecord } from './record.ts';
import { readRecord } from './restore.ts';

/** The loop: runs as long as the lane does. */
export async function keepStored(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => lane.isRestored && isDirty(lane));
    const { storeMs } = lane.durations;
    const dueInMs = lane.storedAtMs + storeMs - Date.now();
    // Whoever stores it meanwhile stores it for all; and what its check run changes in a moment is stored with it.
    if (dueInMs > 0) await condition(() => !isDirty(lane), dueInMs);
    else await condition(() => isPresented(lane), storeMs);
    await condition(() => !lane.isStoring);
    // Once: what came meanwhile waits for its own time, whether it came before or after the answer.
    if (isDirty(lane)) await CancellationScope.nonCancellable(() => storeOnce(lane));
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
    const record = recordOf(lane);
    lane.recordVersion = await storeLane(record, lane.recordVersion);
    lane.stored = state;
    lane.hasStoredUntold = record.ended !== undefined;
    lane.storedAtMs = Date.now();
  } catch (error) {
    if (!isConflict(error)) throw error;
    await join(lane);
  } finally {
    lane.isStoring = false;
  }
}

/**
 * Another writer's record is never overwritten unread: what it knows and this lane does not is taken over. What this run wrote
 * itself in a task whose worker was lost never happened: the task is done again.
 */
async function join(lane: Lane): Promise<void> {
  const stored = await readRecord(lane, restoreLaneDurably);
  lane.recordVersion = stored?.version ?? null;
  if (stored === null || stored.record.writer.runId === workflowInfo().runId) return;
  lane.state = joinRecord(lane.state, stored.record);
}

function isConflict(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === 'RECORD_CONFLICT';
}

/** The loop: each deployment that ended gets a record of its own, and what everybody knows is forgotten. */
export async function keepRecorded(lane: Lane): Promise<never> {
  for (;;) {
    await condition(() => lane.isRestored && !lane.isKeeping && unkept(lane) !== undefined);
    await recordEnded(lane);
  }
}

/** Returns when each deployment that ended stands in a record of its own, whatever is cancelled meanwhile. */
export async function recordEnded(lane: Lane): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    await condition(() => !lane.isKeeping);
    lane.isKeeping = true;
    try {
      for (let ended = unkept(lane); ended !== undefined; ended = unkept(lane)) {
        await storeDeployment(deploymentRecord(lane, ended));
        lane.kept.add(ended.id);
        forgetTold(lane);
      }
    } finally {
      lane.isKeeping = false;
    }
  });
}

function unkept(lane: Lane): Deployment | undefined {
  return lane.state.ended.find(({ id }) => !lane.kept.has(id));
}

/** The same whoever writes it and how often: its key holds when it ended. */
function deploymentRecord({ repository }: Lane, deployment: Deployment) {
  const { status, times } = deployment.progress;
  return { version: 1, repository, deployment, endedAt: times[status] ?? timestamp() } as const;
}

/** What GitHub and storage know of is kept for the lane's page only. */
function forgetTold(lane: Lane): void {
  const untoldOnes = new Set(untold(lane).map(({ id }) => id));
  lane.state = withoutTold(lane.state, ({ id }) => !untoldOnes.has(id));
  forgetUnknown(lane);
}

/** Ended deployments whose check runs or own records do not say so yet. */
function untold(lane: Lane): readonly Deployment[] {
  const hidden = new Set(unpresented(lane).map(({ id }) => id));
  return lane.state.ended.filter(({ id }) => hidden.has(id) || !lane.kept.has(id));
}

/** Check runs and records of their own say all that they should. */
export function isAllTold(lane: Lane): boolean {
  return isPresented(lane) && unkept(lane) === undefined;
}

export function recordOf(lane: Lane): LaneRecord {
  const { repository, rootName, sequence } = lane;
  const writer = { runId: workflowInfo().runId, sequence };
  const isRecorded = ({ id }: Deployment) => lane.kept.has(id);
  return toRecord(lane.state, { repository, rootName, writer, untold: untold(lane), isRecorded });
}

/** Nothing is left to tell, and the record holds nothing but the lane as it stands. */
export function isSettled(lane: Lane): boolean {
  return isAllTold(lane) && !lane.hasStoredUntold && !isDirty(lane);
}

/** Has the record written once more, where it holds ended deployments of which somebody did not know then. */
export function renewRecord(lane: Lane): void {
  if (lane.hasStoredUntold) lane.stored = undefined;
}

export function isDirty(lane: Lane): boolean {
  return lane.stored === undefined || relevant(lane.stored).some((part, index) => part !== relevant(lane.state)[index]);
}

/** What of the state stands in the record; parts that did not change are the same objects. */
function relevant(state: LaneState): readonly unknown[] {
  return [state.latest, state.lock, state.lifted, state.running, state.queue, state.seen];
}
