import type { Notification } from '@nereid/domain/notification';

/** How a destination took a notification. Reasons are for operators, without secrets and without texts of the destination. */
export type Answer =
  /** `note`, if there is one, is handed to the next attempt about the same subject; an empty one is forgotten. */
  | { readonly kind: 'delivered'; readonly note?: string }
  /** The same may be taken later. */
  | { readonly kind: 'later'; readonly reason: string; readonly retryAfterMs?: number }
  /** The same will never be taken, unless somebody changes something. */
  | { readonly kind: 'refused'; readonly reason: string };

/** The longest pause that a destination may ask for: with more, notifications would wait until they are dropped. */
export const RETRY_AFTER_LIMIT_MS = 3_600_000;

export interface SendContext {
  /** The one that was returned last about the same subject. */
  readonly note?: string | undefined;
  /** Somebody is to read of it. False: it only changes what was sent before. */
  readonly isAnnounced: boolean;
}

export interface Digest {
  /** The same for each attempt. */
  readonly id: string;
  /** The most urgent first. */
  readonly notifications: readonly Notification[];
}

/** What is over by itself, such as the announcement of a window that has closed, is ended at its time. */
interface Ending {
  /** Whether what this note is about is to be ended now. In epoch milliseconds. */
  isDue(note: string, nowMs: number): boolean;
  /** Makes one attempt to end what is about the subject, as `send` does. */
  end(subject: string): Promise<Answer>;
}

export interface Sender {
  /** Makes one attempt, within seconds. Never throws. */
  send(notification: Notification, context: SendContext): Promise<Answer>;
  /** Sends one message about all of them, as `send` does. Only for kinds that have a digest. */
  readonly sendDigest?: (digest: Digest) => Promise<Answer>;
  /** What notes are about. */
  subjectOf(notification: Notification): string;
  /** Only of kinds whose messages stay open until they are ended. */
  readonly ending?: Ending;
  /** Of a destination with several queues, that of a notification: one that takes nothing holds up no other. */
  readonly queueOf?: (notification: Notification) => string;
}

export const DELIVERED: Answer = { kind: 'delivered' };
