/** How the state of a destination changes: pure, with the clock as an argument. */
import { createHash } from 'node:crypto';
import { dayIn, type Destination } from '@nereid/config';
import {
  NOTIFICATION_TOPICS,
  type DestinationState,
  type Failing,
  type Note,
  type Notification,
} from '@nereid/domain/notification';
import { RETRY_AFTER_LIMIT_MS, type Answer } from '@nereid/notifications';
import type { Waiting } from '@nereid/storage';

/** Longer than an attempt and the writes around it; after a kill, another worker goes on after that time. */
const LEASE_MS = 60_000;

/** The notifications of a day of a busy installation, so that none that is published again is sent again. */
const SETTLED_LIMIT = 2_000;

/** The rollouts of a day or two. Each of them is written again with each delivery. */
const NOTES_LIMIT = 200;

/** The first pause; each further one is twice as long. */
const FIRST_PAUSE_MS = 5_000;

/** A destination that was mended gets its notifications within this time. */
const LONGEST_PAUSE_MS = 10 * 60_000;

export const WAITING_LIMIT = 10_000;
const WAITING_FOR_MS = 24 * 3_600_000;

/** A notification that is held back for a night, or for a digest, is tried for a day as well. */
export function waitingForMs({ quiet, digest }: Pick<Destination, 'quiet' | 'digest'>): number {
  return quiet || digest ? 2 * WAITING_FOR_MS : WAITING_FOR_MS;
}

/** Undefined while another worker delivers. A time that no lease has is of a clock that was wrong. */
export function held(state: DestinationState, id: string, nowMs: number): DestinationState | undefined {
  const { holder } = state;
  const leftMs = holder === undefined || holder.id === id ? 0 : Date.parse(holder.until) - nowMs;
  if (leftMs > 0 && leftMs <= 2 * LEASE_MS) return undefined;
  return { ...state, holder: { id, until: new Date(nowMs + LEASE_MS).toISOString() } };
}

export function released({ holder: _holder, ...state }: DestinationState): DestinationState {
  return state;
}

/** How long the destination is left alone, in milliseconds; 0 when it, or another of its queues, may be tried. */
export function pauseLeft({ failing, failingQueues }: DestinationState, nowMs: number): number {
  return failingQueues === undefined ? leftOf(failing, nowMs) : 0;
}

/** The same of one queue. */
export function queuePauseLeft({ failingQueues = {} }: DestinationState, queue: string, nowMs: number): number {
  return leftOf(failingQueues[queue], nowMs);
}

/** When the first of its queues that fail is tried again, in how many milliseconds; `idleMs` at most. */
export function nextQueueDue({ failingQueues = {} }: DestinationState, idleMs: number, nowMs: number): number {
  return Math.min(idleMs, ...Object.values(failingQueues).map((failing) => leftOf(failing, nowMs)));
}

/** A longer time is of a clock that was wrong. */
function leftOf(failing: Failing | undefined, nowMs: number): number {
  const leftMs = failing === undefined ? 0 : Date.parse(failing.nextAt) - nowMs;
  return leftMs > 0 && leftMs <= RETRY_AFTER_LIMIT_MS ? leftMs : 0;
}

/** `subject`: what notes of this notification are about. */
interface Sent {
  readonly waiting: Waiting;
  readonly notification: Notification;
  readonly subject: string;
  /** Of a destination with several queues. */
  readonly queue?: string | undefined;
  /** It is announced once. */
  readonly onceKey?: string | undefined;
}

/** Says what came of the attempt that ends now. */
export function withAttempt(state: DestinationState, answer: Answer, tookMs: number, nowMs: number): DestinationState {
  const at = new Date(nowMs).toISOString();
  const reason = answer.kind === 'delivered' ? {} : { reason: answer.reason };
  return { ...state, lastAttempt: { at, tookMs: Math.round(tookMs), ...reason } };
}

export function afterAnswer(
  state: DestinationState,
  { waiting, notification, subject, queue, onceKey }: Sent,
  answer: Answer,
  nowMs: number,
): DestinationState {
  const at = new Date(nowMs).toISOString();
  if (answer.kind === 'later') return failed(state, answer, nowMs, queue);
  const { refused: _refused, ...rest } = well(state, queue);
  // What was refused may be sent again, so it is not settled.
  if (answer.kind === 'refused') return { ...rest, refused: { id: notification.id, at, reason: answer.reason } };
  const settled = [...state.settled, waiting.digest].slice(-SETTLED_LIMIT);
  const announced = onceKey === undefined ? {} : { announced: withNewest(state.announced, onceKey) };
  return { ...rest, ...announced, settled, deliveredAt: at, notes: withNote(state.notes, subject, answer.note) };
}

/** The alert about the subject is ended. A destination that refuses to end it is not asked again. */
export function afterEnd(state: DestinationState, subject: string, answer: Answer, nowMs: number): DestinationState {
  if (answer.kind === 'later') return failed(state, answer, nowMs);
  return { ...well(state, undefined), notes: withNote(state.notes, subject, '') };
}

/**
 * `digests`: of the notifications that the digest of this id was made of. Without an answer nothing was sent, because all of it was over:
 * that says nothing of a destination that has failed.
 */
export function afterDigest(
  state: DestinationState,
  { id, digests }: { readonly id: string; readonly digests: readonly string[] },
  answer: Answer | undefined,
  nowMs: number,
): DestinationState {
  const at = new Date(nowMs).toISOString();
  // All of them, until they are removed: a worker that takes over after a kill would send the others again.
  const settled = [...state.settled, ...digests].slice(-Math.max(SETTLED_LIMIT, digests.length));
  if (answer === undefined) return { ...state, settled };
  if (answer.kind === 'later') return failed(state, answer, nowMs);
  const { failing: _failing, refused: _refused, ...rest } = state;
  if (answer.kind === 'refused') return { ...rest, refused: { id, at, reason: answer.reason } };
  return { ...rest, settled, deliveredAt: at };
}

function failed(
  state: DestinationState,
  answer: Answer & { readonly kind: 'later' },
  nowMs: number,
  queue?: string,
): DestinationState {
  if (queue === undefined) return { ...state, failing: failingAfter(state.failing, answer, nowMs) };
  const { failingQueues: queues = {} } = state;
  return withQueues(state, { ...queues, [queue]: failingAfter(queues[queue], answer, nowMs) });
}

/** It took something. */
function well({ failing: _failing, ...state }: DestinationState, queue: string | undefined): DestinationState {
  if (queue === undefined) return state;
  return withQueues(
    state,
    Object.fromEntries(Object.entries(state.failingQueues ?? {}).filter(([name]) => name !== queue)),
  );
}

function withQueues(
  { failing: _failing, failingQueues: _before, ...state }: DestinationState,
  failingQueues: NonNullable<DestinationState['failingQueues']>,
): DestinationState {
  const [failing] = Object.values(failingQueues).toSorted((one, other) => (one.since < other.since ? -1 : 1));
  return { ...state, ...(failing && { failing, failingQueues }) };
}

function failingAfter(
  before: Failing | undefined,
  { retryAfterMs = 0, reason }: Answer & { readonly kind: 'later' },
  nowMs: number,
): Failing {
  const at = new Date(nowMs).toISOString();
  const { since = at, attempts = 0 } = before ?? {};
  const pauseMs = Math.max(retryAfterMs, Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS));
  return { since, attempts: attempts + 1, lastAt: at, nextAt: new Date(nowMs + pauseMs).toISOString(), reason };
}

function withNewest(keys: readonly string[] = [], key: string): readonly string[] {
  return [...keys, key].slice(-SETTLED_LIMIT);
}

/** The same for notifications of which only the first is announced; undefined where each of them is. */
export function onceKeyOf({ oncePer, quiet }: Destination, notification: Notification): string | undefined {
  if (oncePer === undefined) return undefined;
  const { id, type, at, repository = '', root, deployment } = notification;
  const about = {
    deployment: deployment?.id ?? id,
    rollout: deployment ? `${repository}@${deployment.revision}` : id,
    day: root ? `${dayIn(quiet?.timezone ?? 'UTC', Date.parse(at))} ${repository}/${root.name}` : id,
  }[oncePer];
  return createHash('sha256').update(`${type} ${about}`).digest('hex').slice(0, ONCE_KEY_LENGTH);
}

/** Enough for those of a day. */
const ONCE_KEY_LENGTH = 16;

/** The last word about each deployment, rollout or workflow, as far as people are to read of it; the most urgent first, without those that are over. */
export function worthTelling(
  { when }: Pick<Destination, 'when'>,
  notifications: readonly Notification[],
): readonly Notification[] {
  const last = new Map(notifications.map((each) => [each.deployment?.id ?? each.about ?? each.id, each]));
  return [...last.values()]
    .filter(({ type }) => when.includes(type))
    .toSorted((one, other) => urgencyOf(one) - urgencyOf(other));
}

function urgencyOf({ type }: Notification): number {
  return NOTIFICATION_TOPICS.indexOf(type);
}

export function noteAbout({ notes }: DestinationState, subject: string): string | undefined {
  return notes.find(({ about }) => about === subject)?.text;
}

function withNote(notes: readonly Note[], about: string, text: string | undefined): readonly Note[] {
  if (text === undefined) return notes;
  const others = notes.filter((note) => note.about !== about);
  return text === '' ? others : [...others, { about, text }].slice(-NOTES_LIMIT);
}

/** The oldest, as far as they are too many or too old. */
export function tooMuch(waiting: readonly Waiting[], forMs: number, nowMs: number): readonly Waiting[] {
  const surplus = waiting.length - WAITING_LIMIT;
  return waiting.filter(({ arrivedMs }, index) => index < surplus || nowMs - arrivedMs > forMs);
}
