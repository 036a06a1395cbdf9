/**
 * What comes before the lane's record is there. Nothing is decided about it, and nothing is lost: as many deployments are kept
 * as in a queue, and what is more is refused on its check run. Where the record cannot be read, the check runs of what waits say
 * so.
 *
 * The state meanwhile is that of a lane without a record, for its check runs. Once the record is there, all messages are decided
 * again as if they came now.
 */
import type { CarriedLane, Deployment, LaneRead, LaneRecord, Reported, StoredLane } from '@nereid/contracts';
import { advanced } from '../deployment/progress.ts';
import { UNTOLD_LIMIT, withEnded } from '../deployment/ended.ts';
import { inOrder, QUEUE_LIMIT } from '../queue/queue.ts';
import { isSeen, remember } from '../queue/seen.ts';
import { find, newLane, receive, recordCheckRuns, type LaneState } from '../state/lane-state.ts';
import { fromRecord, joinWaiting } from '../state/record.ts';
import { AT_ONCE, later, type LaneActor, type Reading, type RecordKeeping } from './actor.ts';
import type { EffectOf } from './effects.ts';
import type { CancelRequested, LaneMessage } from './events.ts';
import { noteChanges } from './keeping.ts';
import { withUncertain } from '../check-runs/reported.ts';

/** A full queue, and as many messages about it: Temporal itself takes no more than ten thousand. */
const MESSAGES_LIMIT = 2 * QUEUE_LIMIT;

const SEEN = 'This root knew of it before its record could be read again: it was asked for twice.';

/** Reasons that are shown one after the other. Each is ten events of history, and a lane without its record begins no new one. */
const REASONS_SHOWN = 10;

/** What to ask for next: after many reasons the record alone, or the last reason of an hour. */
export function readingOf({ why, reasons }: Reading): EffectOf<'read'> {
  return { kind: 'read', shown: why ?? null, awaited: reasons < REASONS_SHOWN ? 'news' : 'record' };
}

/** Whether a message finds room, now or once the record is there. */
export function hasRoom({ reading, state }: LaneActor): boolean {
  return reading === undefined || (reading.messages.length < MESSAGES_LIMIT && state.ended.length < UNTOLD_LIMIT);
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

/** Sent once more by somebody who waits for the answer. */
function isSame(one: LaneMessage | CancelRequested, other: LaneMessage | CancelRequested): boolean {
  if (one.kind === 'notice' && other.kind === 'notice')
    return one.message.deploymentId === other.message.deploymentId && one.message.sentence === other.message.sentence;
  const isRequest = one.kind === 'unlock' || one.kind === 'cancel';
  return isRequest && other.kind === one.kind && one.message.requestId === other.message.requestId;
}

/** Storage has answered. `decide` decides what came meanwhile. */
export function takeRecord(
  actor: LaneActor,
  reading: Reading,
  read: LaneRead,
  now: number,
  decide: (actor: LaneActor, message: LaneMessage | CancelRequested) => LaneActor,
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

/** Also where the run before wrote that, and never heard that it had. */
function isBefore({ record: { writer }, version }: StoredLane, { record, recordVersion }: CarriedLane): boolean {
  return (
    version === recordVersion || (writer.runId === record.writer.runId && writer.sequence < record.writer.sequence)
  );
}

function restore(actor: LaneActor, carried: CarriedLane | undefined, stored: StoredLane | null): LaneActor {
  const version = stored?.version ?? null;
  if (carried !== undefined && (stored === null || isBefore(stored, carried))) {
    const state = { ...fromRecord(carried.record), notices: carried.notices };
    // What was carried may be newer than what is stored.
    return begun(actor, state, carried.reported, { ...recordingOf(carried.record), version, isDirty: true });
  }
  if (stored === null) return { ...actor, state: newLane };
  const known = fromRecord(stored.record);
  // A run that is reset starts with what it was handed over long ago: what was stored since is true.
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

/** A lane that has decided its messages, with what their check runs were told before that. */
export function withArrivals(
  state: LaneState,
  { queue, ended }: LaneState,
  at: string,
  isTold: (deployment: Deployment) => boolean,
): LaneState {
  const waiting = inOrder(queue);
  const known = waiting.filter(({ id }) => find(state, id) !== undefined);
  // What was seen before is dropped without a check run, where there is none.
  const seen = waiting.filter((deployment) => !known.includes(deployment) && isTold(deployment));
  // Of what the lane knew before, only a check run that says otherwise has to be told.
  const refused = ended.filter((deployment) => !isSeen(state.seen, deployment) || isTold(deployment));
  const withRefused = refused.reduce(
    (before, one) => (isSeen(before.seen, one) ? before : { ...before, seen: remember(before.seen, one) }),
    withEnded(state, [...seen.map((deployment) => advanced(deployment, 'skipped', at, SEEN)), ...refused], at),
  );
  return known
    .filter(({ checkRuns }) => checkRuns.length > 0)
    .reduce((before, { id, checkRuns }) => recordCheckRuns(before, id, checkRuns), withRefused);
}
