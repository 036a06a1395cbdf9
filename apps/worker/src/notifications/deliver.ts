/**
 * Delivers the notifications of one destination in order, while it takes them. The state of the destination in storage says who
 * delivers: a worker that was killed loses its turn after a minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Destination } from '@nereid/config';
import { FRESH_DESTINATION, type DestinationState, type Notification } from '@nereid/domain/notification';
import type { Answer, Sender } from '@nereid/notifications';
import { isUnreadableRecord, type Outbox, type VersionedState, type Waiting } from '@nereid/storage';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { NotificationMetrics } from '../platform/metrics/notification-metrics.ts';
import {
  afterAnswer,
  held,
  isStuck,
  noteAbout,
  pauseLeft,
  released,
  tooMuch,
  WAITING_FOR_MS,
  WAITING_LIMIT,
} from './destination-rules.ts';

export interface DeliverTools extends NotificationMetrics {
  readonly outbox: Outbox;
  readonly logger: Pick<Logger, 'warn'>;
  /** Names this worker among those that deliver. */
  readonly workerId: string;
  readonly now: () => number;
  /** For tests. */
  readonly paceMs?: number;
  /** Ends the round after the attempt that is under way. */
  readonly signal: AbortSignal;
}

/** Another worker is at it, or has just been killed. */
const HELD_MS = 5_000;

/** What other workers have kept is delivered after that time, unless they do it themselves. */
const IDLE_MS = 60_000;

/** Google takes one write of an object a second. After a kill, some are known no more that are published again: they are sent again. */
export const PACE_MS = 1_000;

/** Requests to storage at a time, to drop what is too much. */
const AT_ONCE = 20;

/** Returns in how many milliseconds the next round is worth it. Throws failures of storage. */
export async function deliver({ name }: Destination, sender: Sender, tools: DeliverTools): Promise<number> {
  const { outbox, workerId, now } = tools;
  const oldest = await outbox.listWaiting(name, 1);
  measureOldest(name, oldest, tools);
  if (oldest.length === 0) return IDLE_MS;
  const found = await outbox.readState(name);
  const state = found?.state ?? FRESH_DESTINATION;
  const left = pauseLeft(state, now());
  if (left > 0) return left;
  const taken = held(state, workerId, now());
  const own = taken && (await outbox.writeState(name, taken, found?.version));
  if (own === undefined) return HELD_MS;
  return new Round(name, sender, tools, own).run();
}

function measureOldest(name: string, [oldest]: readonly Waiting[], { onOldest, now }: DeliverTools): void {
  onOldest(name, oldest === undefined ? 0 : now() - oldest.arrivedMs);
}

/** One turn of this worker at a destination. */
class Round {
  readonly #name: string;
  readonly #sender: Sender;
  readonly #tools: DeliverTools;
  /** As it is stored. */
  #stored: VersionedState;
  #storedAtMs = performance.now();
  #state: DestinationState;

  constructor(name: string, sender: Sender, tools: DeliverTools, stored: VersionedState) {
    this.#name = name;
    this.#sender = sender;
    this.#tools = tools;
    this.#stored = stored;
    this.#state = stored.state;
  }

  async run(): Promise<number> {
    const { outbox, now, signal } = this.#tools;
    await outbox.forgetRefused(this.#name, now() - WAITING_FOR_MS);
    for (;;) {
      const waiting = await this.#dropTooMuch(await outbox.listWaiting(this.#name, 2 * WAITING_LIMIT));
      measureOldest(this.#name, waiting, this.#tools);
      if (waiting.length === 0) return this.#leave(IDLE_MS);
      for (const each of waiting) {
        if (signal.aborted) return this.#leave(0);
        const outcome = await this.#deliverOne(each);
        if (outcome === 'lost') return HELD_MS;
        if (outcome === 'paused') return this.#leave(pauseLeft(this.#state, now()));
      }
    }
  }

  async #deliverOne(waiting: Waiting): Promise<'settled' | 'paused' | 'lost'> {
    const { outbox, now } = this.#tools;
    const before = this.#state;
    const notification = before.settled.includes(waiting.digest) ? undefined : await this.#read(waiting);
    if (notification === undefined) {
      await outbox.remove(waiting);
      return 'settled';
    }
    const subject = this.#sender.subjectOf(notification);
    const answer = await this.#sender.send(notification, noteAbout(before, subject));
    this.#report(notification, answer);
    this.#state = afterAnswer(before, { waiting, notification, subject }, answer, now());
    this.#warnOnceStuck(before);
    if (answer.kind === 'later') return 'paused';
    // Before it is removed: an alert that nobody knows to be open would never be resolved.
    const hasNote = answer.kind === 'delivered' && answer.note !== undefined;
    if (hasNote && !(await this.#store('now'))) return 'lost';
    if (answer.kind === 'refused') await outbox.setAside(this.#name, waiting, notification);
    else await outbox.remove(waiting);
    return hasNote || (await this.#store('if-due')) ? 'settled' : 'lost';
  }

  async #read(waiting: Waiting): Promise<Notification | undefined> {
    const { outbox, logger, onDelivery } = this.#tools;
    try {
      return await outbox.read(waiting);
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      logger.warn({ err: error, destination: this.#name }, 'a notification cannot be read, and is dropped');
      onDelivery(this.#name, 'dropped');
      return undefined;
    }
  }

  #report({ id }: Notification, answer: Answer): void {
    const { logger, onDelivery } = this.#tools;
    if (answer.kind === 'delivered') {
      onDelivery(this.#name, 'delivered');
      return;
    }
    onDelivery(this.#name, answer.kind === 'later' ? 'failed' : 'refused');
    const fields = { destination: this.#name, notification: id, reason: answer.reason };
    if (answer.kind === 'refused') logger.warn(fields, 'a destination refuses a notification, which is set aside');
    else if (this.#state.failing === undefined)
      logger.warn(fields, 'a destination takes no notifications for now: it is tried again');
  }

  /** At the first attempt after an hour. */
  #warnOnceStuck(before: DestinationState): void {
    if (!isStuck(this.#state) || isStuck(before)) return;
    const { since, reason } = this.#state.failing ?? {};
    this.#tools.logger.warn(
      { destination: this.#name, since, reason },
      'a destination has taken no notification for an hour: an operator has to look at it',
    );
  }

  async #dropTooMuch(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
    const { outbox, logger, onDelivery, now } = this.#tools;
    const dropped = tooMuch(waiting, now());
    if (dropped.length === 0) return waiting;
    await pMap(dropped, (each) => outbox.remove(each), { concurrency: AT_ONCE });
    dropped.forEach(() => {
      onDelivery(this.#name, 'dropped');
    });
    this.#state = { ...this.#state, dropped: this.#state.dropped + dropped.length };
    logger.warn({ destination: this.#name, count: dropped.length }, 'notifications are dropped: too many, or too old');
    return waiting.filter((each) => !dropped.includes(each));
  }

  /** False when another worker has taken over. */
  async #store(when: 'now' | 'if-due'): Promise<boolean> {
    const { outbox, workerId, now } = this.#tools;
    if (when === 'if-due' && this.#restLeft() > 0) return true;
    await sleep(this.#restLeft());
    const state = held(this.#state, workerId, now()) ?? this.#state;
    const stored = await outbox.writeState(this.#name, state, this.#stored.version);
    if (stored === undefined) return false;
    this.#stored = stored;
    this.#storedAtMs = performance.now();
    return true;
  }

  async #leave(nextMs: number): Promise<number> {
    await sleep(this.#restLeft());
    await this.#tools.outbox.writeState(this.#name, released(this.#state), this.#stored.version);
    return nextMs;
  }

  /** In milliseconds. */
  #restLeft(): number {
    const { paceMs = PACE_MS } = this.#tools;
    return Math.max(paceMs - (performance.now() - this.#storedAtMs), 0);
  }
}
