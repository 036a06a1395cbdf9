/** What alarms make of notifications: a root is well or not. A success closes the alert that something else opened. */
import { TOPICS, type Notification } from '@nereid/domain/notification';
import { sentenceOf, titleOf } from './texts.ts';

export interface Alert {
  /** The same for all alerts about one subject. */
  readonly key: string;
  readonly summary: string;
  readonly severity: 'critical' | 'warning';
}

/** The note of an open alert; an empty one says that it is closed. */
export const OPEN = 'open';
export const CLOSED = '';

/** A root, or what else an alert is about. */
export function alertSubject({ repository, root, id }: Notification): string {
  return repository !== undefined && root !== undefined ? `${repository}/${root.name}` : id;
}

export function alertOf(notification: Notification): Alert {
  const title = titleOf(notification);
  const sentence = sentenceOf(notification);
  return {
    key: `nereid:${alertSubject(notification)}`,
    // Shorter than the 1,024 characters that PagerDuty takes.
    summary: title === undefined ? sentence : `${title}: ${sentence}`,
    severity: TOPICS[notification.type].severity,
  };
}

/** Whether the notification ends an alert. */
export function isWell({ type }: Notification): boolean {
  return type === 'succeeded';
}
