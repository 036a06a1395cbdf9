/** How the state of a destination changes: pure, with the clock as an argument. */
import type { DestinationState, Note, Notification } from '@nereid/domain/notification';
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

/** An operator is to look at a destination that has taken nothing for so long. */
const STUCK_AFTER_MS = 3_600_000;

export const WAITING_LIMIT = 10_000;
export const WAITING_FOR_MS = 24 * 3_600_000;

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

/** How long the destination is left alone, in milliseconds; 0 when it may be tried. A longer time is of a clock that was wrong. */
export function pauseLeft({ failing }: DestinationState, nowMs: number): number {
  const leftMs = failing === undefined ? 0 : Date.parse(failing.nextAt) - nowMs;
  return leftMs > 0 && leftMs <= RETRY_AFTER_LIMIT_MS ? leftMs : 0;
}

/** By the last attempt: a destination that nobody has tried since may be well. */
export function isStuck({ failing }: DestinationState): boolean {
  return failing !== undefined && Date.parse(failing.lastAt) - Date.parse(failing.since) >= STUCK_AFTER_MS;
}

/** `subject`: what notes of this notification are about. */
interface Sent {
  readonly waiting: Waiting;
  readonly notification: Notification;
  readonly subject: string;
}

export function afterAnswer(
  state: DestinationState,
  { waiting, notification, subject }: Sent,
  answer: Answer,
  nowMs: number,
): DestinationState {
  const at = new Date(nowMs).toISOString();
  if (answer.kind === 'later') {
    const { since = at, attempts = 0 } = state.failing ?? {};
    const pauseMs = Math.max(answer.retryAfterMs ?? 0, Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS));
    const nextAt = new Date(nowMs + pauseMs).toISOString();
    return { ...state, failing: { since, attempts: attempts + 1, lastAt: at, nextAt, reason: answer.reason } };
  }
  const { failing: _failing, refused: _refused, ...rest } = state;
  // What was refused may be sent again, so it is not settled.
  if (answer.kind === 'refused') return { ...rest, refused: { id: notification.id, at, reason: answer.reason } };
  const settled = [...state.settled, waiting.digest].slice(-SETTLED_LIMIT);
  return { ...rest, settled, deliveredAt: at, notes: withNote(state.notes, subject, answer.note) };
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
export function tooMuch(waiting: readonly Waiting[], nowMs: number): readonly Waiting[] {
  const surplus = waiting.length - WAITING_LIMIT;
  return waiting.filter(({ arrivedMs }, index) => index < surplus || nowMs - arrivedMs > WAITING_FOR_MS);
}
