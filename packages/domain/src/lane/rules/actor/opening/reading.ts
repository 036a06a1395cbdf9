/**
 * Keeps messages that come before the lane has its record. They are not decided, and none is lost: as many deployments are kept
 * as fit into a queue, and any more are refused on their check runs. When the record cannot be read, the check runs of waiting
 * deployments say so.
 *
 * Until the record is there, the state is that of a lane without a record, so that check runs can be shown. Then all messages
 * are decided again as if they had just come.
 */
import type { Reported } from '../../../../deployment/check-run.ts';
import type { Deployment } from '../../../../deployment/model.ts';
import type { LaneRead, StoredLane } from '../../../activities.ts';
import type { CarriedLane } from '../../../input.ts';
import type { LaneRecord } from '../../../record.ts';
import { advanced } from '../../../../deployment/rules/progress.ts';
import { find, newLane, recordCheckRuns, type LaneState } from '../../state/lane-state.ts';
import { UNTOLD_LIMIT, withEnded } from '../../state/ended.ts';
import { receive } from '../../requests/receive.ts';
import { inOrder, QUEUE_LIMIT } from '../../queue/queue.ts';
import { isSeen, remember } from '../../queue/seen.ts';
import { fromRecord, joinWaiting } from '../../state/record.ts';
import { giveBack } from '../../state/running.ts';
import { AT_ONCE, later, type Hinted, type LaneActor, type Reading, type RecordKeeping } from '../actor.ts';
import type { EffectOf } from '../effects.ts';
import type { CancelRequested, LaneMessage } from '../events.ts';
import { noteChanges } from '../keeping.ts';
import { withUncertain } from '../showing/reported.ts';

/** A full queue, and as many other messages. Temporal itself takes no more than ten thousand. */
const MESSAGES_LIMIT = 2 * QUEUE_LIMIT;

const SEEN = 'The record of this root has this deployment already: it was asked for twice.';

/** How many reasons in a row are shown. Each costs ten events, and a lane without its record cannot begin a new history. */
const REASONS_SHOWN = 10;

/** The next read. After many reasons, it waits for the record alone, and returns the last reason after an hour. */
export function readingOf({ why, reasons }: Reading): EffectOf<'read'> {
  return { kind: 'read', shown: why ?? null, awaited: reasons < REASONS_SHOWN ? 'news' : 'record' };
}

/** Whether the lane has room for a message; it always has once the record is there. */
export function hasRoom({ reading, hinted, state }: LaneActor): boolean {
  const kept = reading?.messages ?? hinted;
  return kept === undefined || (kept.length < MESSAGES_LIMIT && state.ended.length < UNTOLD_LIMIT);
}

/** Keeps a message until the record is there. */
export function keepMessage(actor: LaneActor, reading: Reading, message: LaneMessage | CancelRequested): LaneActor {
  if (!hasRoom(actor) && message.kind !== 'cancel-requested') return actor;
  if (reading.messages.some((kept) => isSame(kept, message))) return actor;
  const kept = { ...actor, reading: { ...reading, messages: [...reading.messages, message] } };
  if (message.kind !== 'new-revision') return kept;
  const state = receive(actor.state, message.request, message.id, message.at);
  const isRefused = state.ended.length > actor.state.ended.length;
  return isRefused ? { ...actor, state } : { ...kept, state };
}

/** Whether both are the same message, sent again by somebody who waits for the answer. */
function isSame(one: LaneMessage | CancelRequested, other: LaneMessage | CancelRequested): boolean {
  switch (one.kind) {
    case 'notice': {
      const { deploymentId, sentence } = one.message.body;
      if (other.kind !== one.kind) return false;
      return deploymentId === other.message.body.deploymentId && sentence === other.message.body.sentence;
    }
    case 'unlock':
    case 'cancel':
      return other.kind === one.kind && one.message.body.requestId === other.message.body.requestId;
    case 'new-revision':
    case 'deployment-ended':
    case 'look-again':
    case 'cancel-requested':
      return false;
  }
}

type Decide = (actor: LaneActor, message: LaneMessage | CancelRequested) => LaneActor;

/** Takes the answer of storage. `decide` decides the messages that came meanwhile. */
export function restoreRecord(
  actor: LaneActor,
  reading: Reading,
  read: LaneRead,
  now: number,
  decide: Decide,
): LaneActor {
  if (read.kind === 'unreadable') {
    return {
      ...actor,
      reading: { ...reading, ...later(reading, actor.durations, now), why: read.why, reasons: reading.reasons + 1 },
    };
  }
  const restored = restore({ ...actor, reading: undefined }, reading.carried, read.stored);
  const decided = reading.messages.reduce(decide, restored);
  const at = new Date(now).toISOString();
  const isTold = ({ id }: Deployment) => actor.showing.reported[id] !== undefined;
  return noteChanges(restored, { ...decided, state: withArrivals(decided.state, actor.state, at, isTold) });
}

/** Keeps a message as well as deciding it, as long as the record may turn out to be another one. */
export function keepHinted(actor: LaneActor, message: LaneMessage | CancelRequested): LaneActor {
  const { hinted } = actor;
  return hinted === undefined || message.kind === 'look-again' ? actor : { ...actor, hinted: [...hinted, message] };
}

/**
 * The hint was out of date, which storage says before anything starts: decides what came since again, as if the lane had read the
 * record when it was opened.
 */
export function reopen(actor: LaneActor, messages: Hinted, stored: StoredLane, now: number, decide: Decide): LaneActor {
  const state = actor.stage.kind === 'admit' ? giveBack(actor.state, new Date(now).toISOString()) : actor.state;
  const unread = { ...actor, hinted: undefined, isCancelled: false, stage: { kind: 'none' } as const };
  const record = { ...actor.record, ...AT_ONCE, isDirty: false, why: undefined };
  const reading = { ...AT_ONCE, messages, carried: undefined, why: undefined, reasons: 0 };
  return restoreRecord({ ...unread, state, record }, reading, { kind: 'read', stored }, now, decide);
}

/** Whether the stored record is not newer than the carried one. The previous run may have stored it and lost the answer. */
function isBefore({ record: { writer }, version }: StoredLane, { record, recordVersion }: CarriedLane): boolean {
  return (
    version === recordVersion || (writer.runId === record.writer.runId && writer.sequence < record.writer.sequence)
  );
}

/** The lane as its record has it, or the run before. */
export function restore(actor: LaneActor, carried: CarriedLane | undefined, stored: StoredLane | null): LaneActor {
  const version = stored?.version ?? null;
  if (carried !== undefined && (stored === null || isBefore(stored, carried))) {
    const state = { ...fromRecord(carried.record), notices: carried.notices };
    // The carried lane may be newer than the stored record.
    const { audits = [] } = carried;
    return begun(actor, state, carried.reported, { ...recordingOf(carried.record), version, audits, isDirty: true });
  }
  if (stored === null) return { ...actor, state: newLane };
  const known = fromRecord(stored.record);
  // A run that was reset starts with a lane that was handed over long ago: the record that was stored since is true.
  const state = carried === undefined ? known : joinWaiting(known, carried.record);
  const record = { ...recordingOf(stored.record), version, isDirty: state !== known };
  return withUncertain(begun(actor, state, {}, record));
}

function recordingOf({ writer, ended }: LaneRecord) {
  return { sequence: writer.sequence, untold: ended?.length ?? 0 };
}

function begun(
  actor: LaneActor,
  state: LaneState,
  reported: Readonly<Record<string, Reported>>,
  record: Partial<RecordKeeping>,
): LaneActor {
  return {
    ...actor,
    state,
    stage: state.running === undefined ? { kind: 'none' } : { kind: 'find', ...AT_ONCE },
    showing: { ...actor.showing, reported: { ...reported, ...actor.showing.reported } },
    record: { ...actor.record, ...record },
  };
}

/** Joins a lane that has decided its messages with the check runs that were shown before its record was there. */
export function withArrivals(
  state: LaneState,
  { queue, ended }: LaneState,
  at: string,
  isTold: (deployment: Deployment) => boolean,
): LaneState {
  const waiting = inOrder(queue);
  const known = waiting.filter(({ id }) => find(state, id) !== undefined);
  // A request that was seen before is dropped without a check run, unless it has one already.
  const seen = waiting.filter((deployment) => !known.includes(deployment) && isTold(deployment));
  // A refused deployment whose request was seen before is kept only if it has a check run already.
  const refused = ended
    .filter(({ id }) => find(state, id) === undefined)
    .filter((deployment) => !isSeen(state.seen, deployment) || isTold(deployment));
  const withRefused = refused.reduce(
    (before, one) => (isSeen(before.seen, one) ? before : { ...before, seen: remember(before.seen, one) }),
    withEnded(state, [...seen.map((deployment) => advanced(deployment, 'skipped', at, SEEN)), ...refused], at),
  );
  return [...known, ...ended.filter(({ id }) => find(state, id) !== undefined)]
    .filter(({ checkRuns }) => checkRuns.length > 0)
    .reduce((before, { id, checkRuns }) => recordCheckRuns(before, id, checkRuns), withRefused);
}
