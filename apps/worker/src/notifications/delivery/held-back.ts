/**
 * What waits for the end of the quiet hours, or of a pause of its queue, while others pass. A later word about the same root says more:
 * it overtakes them. It is remembered from round to round, so that each is read once: thousands of them hold up no alarm.
 */
import { isHeldBack, type Destination } from '@nereid/config';
import { NOTIFICATION_TOPICS, type DestinationState, type NotificationTopic } from '@nereid/domain/notification';
import type { Waiting } from '@nereid/storage';
import { queuePauseLeft } from '../destination-rules.ts';

interface Held {
  readonly waiting: Waiting;
  readonly type: NotificationTopic;
  readonly subject: string;
  /** It waits for this queue. */
  readonly queue?: string | undefined;
}

export class HeldBack {
  readonly #byKey = new Map<string, Held>();

  add(held: Held): void {
    this.#byKey.set(held.waiting.key, held);
  }

  /** Those that are due, as far as is known. Forgets what waits no more, and what is held back no more. */
  dueAmong(
    all: readonly Waiting[],
    destination: Destination,
    state: DestinationState,
    nowMs: number,
  ): readonly Waiting[] {
    const keys = new Set(all.map(({ key }) => key));
    const topics = new Set(NOTIFICATION_TOPICS.filter((type) => isHeldBack(destination, type, nowMs)));
    for (const [key, { type, queue }] of this.#byKey) {
      const isHeld = queue === undefined ? topics.has(type) : queuePauseLeft(state, queue, nowMs) > 0;
      if (!keys.has(key) || !isHeld) this.#byKey.delete(key);
    }
    return all.filter(({ key }) => !this.#byKey.has(key));
  }

  /** What came before this one about the same. It is forgotten. */
  takeOvertaken({ key: by }: Waiting, subject: string): readonly Waiting[] {
    const overtaken = [...this.#byKey.values()].filter((held) => held.subject === subject && held.waiting.key < by);
    return overtaken.map(({ waiting }) => {
      this.#byKey.delete(waiting.key);
      return waiting;
    });
  }
}
