import type { RevisionTools } from '../root/revision-tools.ts';
import type { UserActions } from './user-actions.ts';

/** One attempt at one event. */
export interface IntakeCall extends RevisionTools {
  /** The id of a webhook's delivery, or of a request, the same for all attempts at one event. */
  readonly delivery: string;
  /**
   * When the gateway received the event, as it signed, ISO 8601: whoever reaches Temporal can send the event again later, but
   * not make it younger.
   *
   * Locks and deployments have their times from other clocks. While the gateway's is behind them, what is asked sooner after a
   * lock was set than the clocks differ is refused, as asked before; while it is ahead, an old press still lifts a lock that
   * was set that much later.
   */
  readonly askedAt: string;
  /**
   * When this activity was scheduled, in milliseconds since 1970. All attempts of an activity share this time, but a button is
   * taken by a local activity first and, if that fails, by a durable one, which is scheduled later.
   */
  readonly scheduledAtMs: number;
  /** Counted from 1, for a button in each of its two activities. After the first, everything may have happened already. */
  readonly attempt: number;
  /** Where the person waits for the answer: on the forge, where a refusal is written, or in the console, which shows the result. */
  readonly answeredIn: 'forge' | 'console';
  /** Notes each request of a person, and its answer. */
  readonly userActions: UserActions;
}
