/**
 * Keeps the lane's record in storage true. The record is written before a deployment starts, and after changes at most once a
 * second. Another writer's record is never overwritten unread.
 */
import type { Deployment } from '../../../deployment/model.ts';
import type { DeploymentRecord } from '../../../deployment/record.ts';
import type { LaneStored, Settlement, StoredLane } from '../../activities.ts';
import type { LaneRecord } from '../../record.ts';
import { doubtfulIn } from '../state/doubtful.ts';
import type { LaneState } from '../state/lane-state.ts';
import { withoutTold } from '../state/ended.ts';
import { giveBack } from '../state/running.ts';
import { firstWithin } from '../../../bytes.ts';
import { joinRecord, toRecord } from '../state/record.ts';
import { AT_ONCE, isUnconfirmed, later, type LaneActor, type Stage } from './actor.ts';
import { differences } from './showing/differences.ts';
import { withUncertain } from './showing/reported.ts';

/** Notes whether a part of the record changed: unchanged parts are the same objects. Reading the record is not a change. */
export function noteChanges(before: LaneActor, after: LaneActor): LaneActor {
  if (after.record.isDirty || before.reading !== undefined || before.state === after.state) return after;
  const [was, is] = [partsOf(before.state), partsOf(after.state)];
  return is.every((part, index) => part === was[index])
    ? after
    : { ...after, record: { ...after.record, isDirty: true } };
}

function partsOf(state: LaneState): readonly unknown[] {
  return STORED.map((part) => state[part]);
}

/**
 * Whether a change of this part is a change of the record. Ended deployments count until the forge and storage know of them, see
 * `untold`; notices are handed over to the next run beside the record; what is ready is asked again.
 */
const IS_STORED = {
  latest: true,
  lock: true,
  lifted: true,
  running: true,
  queue: true,
  undeployed: true,
  seen: true,
  judged: true,
  ended: false,
  notices: false,
  ready: false,
} as const satisfies Readonly<Record<keyof LaneState, boolean>>;

const STORED: readonly (keyof LaneState)[] = (Object.keys(IS_STORED) as (keyof LaneState)[]) // It has no others.
  .filter((part) => IS_STORED[part]);

/** Returns ended deployments whose check run or own record may be out of date, and which the lane writes, or may have to. */
export function untold(actor: LaneActor): readonly Deployment[] {
  const differing = differences(actor).map(({ presentation }) => presentation.deployment.id);
  const asked = [...actor.passOns, ...actor.passingOn].map(({ deploymentId }) => deploymentId);
  const ids = new Set([...differing, ...unkept(actor).map(({ id }) => id), ...asked]);
  return actor.state.ended.filter(({ id }) => ids.has(id));
}

/** A deployment that ended in its terraform workflow is recorded by that workflow. */
function unkept({ state, record, showing }: LaneActor): readonly Deployment[] {
  const kept = new Set(record.kept);
  return state.ended.filter(({ id }) => !kept.has(id) && showing.reported[id]?.isHandedOver !== true);
}

/**
 * Whether the stored record is complete, and rid of ended deployments that the forge and storage know of. A cancelled lane, which
 * ends soon, writes whenever one of them can go; any other lane writes once all of them can.
 */
export function isSettled(actor: LaneActor): boolean {
  const { record, isCancelled } = actor;
  if (isUnconfirmed(actor) || record.isDirty || record.audits.length > 0 || unkept(actor).length > 0) return false;
  if (isCancelled) return (recordOf(actor).ended?.length ?? 0) === record.untold;
  return record.untold === 0 || untold(actor).length > 0;
}

/** When the record is to be stored, in epoch milliseconds; infinite when it is settled. */
export function settlingDueAt(actor: LaneActor): number {
  const { record, durations, isCancelled } = actor;
  if (isSettled(actor)) return Infinity;
  const nextAt = record.storedAt === 0 || isCancelled ? 0 : record.storedAt + durations.storeMs;
  return Math.max(nextAt, record.dueAt);
}

/** The limit for ended deployments that go beside the record in a message to Temporal, which takes 2 MiB. */
const ENDED_BYTES = 300_000;

export function settlementOf(actor: LaneActor): Settlement {
  const { record, repository, hinted } = actor;
  // With a hint that is out of date, they may have ended differently.
  const certain = hinted === undefined ? unkept(actor) : [];
  const ended = firstWithin(certain, ENDED_BYTES).map((deployment) => deploymentRecord(repository, deployment));
  return { ...recordToStore(actor), ended, audits: record.audits };
}

/** Must be the same whoever writes it, and however often: its key contains `endedAt`. */
export function deploymentRecord(repository: DeploymentRecord['repository'], deployment: Deployment): DeploymentRecord {
  const { status, times } = deployment.progress;
  return { version: 1, repository, deployment, endedAt: times[status] ?? deployment.receivedAt };
}

export function recordToStore(actor: LaneActor): { readonly record: LaneRecord; readonly ifVersion: string | null } {
  return { record: recordOf(actor), ifVersion: actor.record.version };
}

export function recordOf(actor: LaneActor): LaneRecord {
  const { repository, rootName, runId, record } = actor;
  const kept = new Set(record.kept);
  const isRecorded = ({ id }: Deployment) => kept.has(id);
  const writer = { runId, sequence: record.sequence + 1 };
  return toRecord(actor.state, { repository, rootName, writer, untold: untold(actor), isRecorded });
}

/** The record of a lane whose forge and storage know of this end. */
export function withoutEnded({ ended = [], ...record }: LaneRecord, deploymentId: string): LaneRecord {
  const others = ended.filter(({ id }) => id !== deploymentId);
  return { ...record, ...(others.length > 0 && { ended: others }) };
}

/** The record is on its way to storage: later changes are not in it. */
export function beginStoring(actor: LaneActor): LaneActor {
  const { record } = actor;
  return { ...actor, record: { ...record, isDirty: false, sequence: record.sequence + 1 } };
}

export function handleStored(actor: LaneActor, { ended = [] }: LaneRecord, stored: LaneStored, now: number): LaneActor {
  switch (stored.kind) {
    case 'stored': {
      const { version } = stored;
      const record = { ...actor.record, ...AT_ONCE, version, storedAt: now, untold: ended.length, why: undefined };
      return { ...actor, record, hinted: undefined };
    }
    case 'other':
      return join(actor, stored.stored, now);
    case 'unreadable':
      return failStoring(actor, `its record cannot be read: ${stored.why}`, now);
  }
}

export function failStoring(actor: LaneActor, why: string, now: number): LaneActor {
  const { record, durations } = actor;
  return { ...actor, record: { ...record, ...later(record, durations, now), isDirty: true, why } };
}

/** The ended deployments and audit events that were sent with the record are stored. */
export function handleSettled(actor: LaneActor, { ended, audits }: Settlement): LaneActor {
  const { record } = actor;
  const stored = new Set(audits.map(({ id }) => id));
  return {
    ...actor,
    record: {
      ...record,
      kept: [...record.kept, ...ended.map(({ deployment }) => deployment.id)],
      audits: record.audits.filter(({ id }) => !stored.has(id)),
    },
  };
}

/** A deployment that was about to start waits again, because the record may have another running deployment or a lock. */
function join(actor: LaneActor, { record, version }: StoredLane, now: number): LaneActor {
  const own = actor.stage.kind === 'admit' ? giveBack(actor.state, new Date(now).toISOString()) : actor.state;
  const state = joinRecord(own, record);
  const stage = stageOf(actor, state.running, record);
  const ids = new Set([...actor.doubts.ids, ...doubtfulIn(state.queue, record)]);
  const doubts = { ...AT_ONCE, ids: [...ids] };
  return withUncertain({ ...actor, state, stage, doubts, record: { ...actor.record, version, isDirty: true } });
}

/** A deployment that runs only here, or only in the record, may have ended long ago: Temporal or the record is out of date. */
function stageOf({ stage }: LaneActor, running: Deployment | undefined, record: LaneRecord): Stage {
  if (running === undefined) return { kind: 'none' };
  const isFollowed = stage.kind !== 'none' && stage.kind !== 'admit' && running.id === record.running?.id;
  return isFollowed || stage.kind === 'starting' ? stage : { kind: 'find', ...AT_ONCE };
}

/** Ended deployments that the forge and storage know of are kept for the lane's page only. */
export function forgetTold(actor: LaneActor): LaneActor {
  const untoldOnes = new Set(untold(actor).map(({ id }) => id));
  const state = withoutTold(actor.state, ({ id }) => !untoldOnes.has(id));
  if (state === actor.state) return actor;
  const known = new Set(state.ended.map(({ id }) => id));
  return { ...actor, state, record: { ...actor.record, kept: actor.record.kept.filter((id) => known.has(id)) } };
}
