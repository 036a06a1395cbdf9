/** What alarms make of notifications: a subject is well or not. Some topics close the alert that others opened; some alerts close by themselves. */
import { ENDING_TOPICS, TOPICS, type Notification } from '@nereid/domain/notification';
import { sentenceOf, titleOf } from './texts.ts';

export interface Alert {
  /** The same for all alerts about one subject. */
  readonly key: string;
  readonly summary: string;
  readonly severity: 'critical' | 'warning';
}

/** The notes of alerts; an empty one says that it is closed. */
const OPEN = 'open';
const OPEN_UNTIL = 'open until ';
const CLOSED = '';

/** The note of the alert once the notification has arrived. */
export function noteAfter(notification: Notification): string {
  if (isWell(notification)) return CLOSED;
  return notification.until === undefined ? OPEN : `${OPEN_UNTIL}${notification.until}`;
}

/** Whether the notification would open an alert that is over already, or close one that is not open. */
export function isIdle(notification: Notification, note: string | undefined, nowMs: number): boolean {
  if (isWell(notification)) return note === undefined || note === CLOSED;
  return notification.until !== undefined && Date.parse(notification.until) <= nowMs;
}

/** Whether the alert with this note closes by itself, and should have by now. */
export function hasRunOut(note: string, nowMs: number): boolean {
  return note.startsWith(OPEN_UNTIL) && Date.parse(note.slice(OPEN_UNTIL.length)) <= nowMs;
}

/** A root, or what else an alert is about. */
export function alertSubject({ repository, root, about, id }: Notification): string {
  return repository !== undefined && root !== undefined ? `${repository}/${root.name}` : (about ?? id);
}

export function alertKey(subject: string): string {
  return `nereid:${subject}`;
}

export function alertOf(notification: Notification): Alert {
  return {
    key: alertKey(alertSubject(notification)),
    // Shorter than the 1,024 characters that PagerDuty takes.
    summary: `${titleOf(notification)}. ${sentenceOf(notification)}`,
    severity: TOPICS[notification.type].severity,
  };
}

/** Whether the notification ends an alert. */
export function isWell({ type }: Notification): boolean {
  return ENDING_TOPICS.includes(type);
}
