/**
 * Keeps the lane's record in storage true: written before a deployment starts, and when something in it changed, at most once a
 * second. Another writer's record is never overwritten unread.
 */
import type { Deployment, DeploymentRecord, LaneRecord, LaneStored, Settlement, StoredLane } from '@nereid/contracts';
import { withoutTold } from '../deployment/ended.ts';
import { firstWithin } from '../state/bytes.ts';
import { giveBack, type LaneState } from '../state/lane-state.ts';
import { joinRecord, toRecord } from '../state/record.ts';
import { AT_ONCE, later, type LaneActor, type Stage } from './actor.ts';
import { differences } from '../check-runs/differences.ts';
import { withUncertain } from '../check-runs/reported.ts';

/** What stands in the record changed: parts that did not are the same objects. What was read is not worth a write by itself. */
export function noteChanges(before: LaneActor, after: LaneActor): LaneActor {
  if (after.record.isDirty || before.reading !== undefined || before.state === after.state) return after;
  const [was, is] = [partsOf(before.state), partsOf(after.state)];
  return is.every((part, index) => part === was[index])
    ? after
    : { ...after, record: { ...after.record, isDirty: true } };
}

function partsOf({ latest, lock, lifted, running, queue, seen, judged }: LaneState): readonly unknown[] {
  return [latest, lock, lifted, running, queue, seen, judged];
}

/** Ended deployments whose check run or own record may be out of date, and is, or may become, the lane's to write. */
export function untold(actor: LaneActor): readonly Deployment[] {
  const differing = differences(actor).map(({ presentation }) => presentation.deployment.id);
  const asked = [...actor.passOns, ...actor.passingOn].map(({ deploymentId }) => deploymentId);
  const ids = new Set([...differing, ...unkept(actor).map(({ id }) => id), ...asked]);
  return actor.state.ended.filter(({ id }) => ids.has(id));
}

/** What ended in its terraform workflow is recorded by that. */
function unkept({ state, record, showing }: LaneActor): readonly Deployment[] {
  const kept = new Set(record.kept);
  return state.ended.filter(({ id }) => !kept.has(id) && showing.reported[id]?.isHandedOver !== true);
}

/** The record says all that it should, and nothing that everybody knows by now: a lane that ends soon anyway looks closely. */
export function isSettled(actor: LaneActor): boolean {
  const { record, isCancelled } = actor;
  if (record.isDirty || record.audits.length > 0 || unkept(actor).length > 0) return false;
  if (isCancelled) return (recordOf(actor).ended?.length ?? 0) === record.untold;
  return record.untold === 0 || untold(actor).length > 0;
}

/** When it is to be stored, in epoch milliseconds; infinite: it is settled. */
export function settlingDueAt(actor: LaneActor): number {
  const { record, durations, isCancelled } = actor;
  if (isSettled(actor)) return Infinity;
  const nextAt = record.storedAt === 0 || isCancelled ? 0 : record.storedAt + durations.storeMs;
  return Math.max(nextAt, record.dueAt);
}

/** Stands beside the record in a message to Temporal, whose limit is 2 MiB. */
const ENDED_BYTES = 300_000;

export function settlementOf(actor: LaneActor): Settlement {
  const { record, repository } = actor;
  const ended = firstWithin(unkept(actor), ENDED_BYTES).map((deployment) => deploymentRecord(repository, deployment));
  return { ...recordToStore(actor), ended, audits: record.audits };
}

/** The same whoever writes it and how often: its key holds when it ended. */
function deploymentRecord(repository: DeploymentRecord['repository'], deployment: Deployment): DeploymentRecord {
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

/** The record is on its way: what changes from now on is not in it. */
export function beginStoring(actor: LaneActor): LaneActor {
  const { record } = actor;
  return { ...actor, record: { ...record, isDirty: false, sequence: record.sequence + 1 } };
}

export function takeStored(actor: LaneActor, { ended = [] }: LaneRecord, stored: LaneStored, now: number): LaneActor {
  switch (stored.kind) {
    case 'stored': {
      const { version } = stored;
      const record = { ...actor.record, ...AT_ONCE, version, storedAt: now, untold: ended.length, why: undefined };
      return { ...actor, record };
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

/** What was sent beside the record is stored for good. */
export function takeSettled(actor: LaneActor, { ended, audits }: Settlement): LaneActor {
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

/** Whoever was about to start waits again, for what runs in the record, or for its lock. */
function join(actor: LaneActor, { record, version }: StoredLane, now: number): LaneActor {
  const own = actor.stage.kind === 'admit' ? giveBack(actor.state, new Date(now).toISOString()) : actor.state;
  const state = joinRecord(own, record);
  const stage = stageOf(actor, state.running, record);
  return withUncertain({ ...actor, state, stage, record: { ...actor.record, version, isDirty: true } });
}

/** What runs in one of both alone may have ended long ago: Temporal or the record is older than that. */
function stageOf({ stage }: LaneActor, running: Deployment | undefined, record: LaneRecord): Stage {
  if (running === undefined) return { kind: 'none' };
  const isFollowed = stage.kind !== 'none' && stage.kind !== 'admit' && running.id === record.running?.id;
  return isFollowed || stage.kind === 'starting' ? stage : { kind: 'find', ...AT_ONCE };
}

/** What GitHub and storage know of is kept for the lane's page only. */
export function forgetTold(actor: LaneActor): LaneActor {
  const untoldOnes = new Set(untold(actor).map(({ id }) => id));
  const state = withoutTold(actor.state, ({ id }) => !untoldOnes.has(id));
  if (state === actor.state) return actor;
  const known = new Set(state.ended.map(({ id }) => id));
  return { ...actor, state, record: { ...actor.record, kept: actor.record.kept.filter((id) => known.has(id)) } };
}
