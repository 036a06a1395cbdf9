/** One turn of this worker at a destination: nobody else delivers to it meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Destination } from '@nereid/config';
import { isStuck, type DestinationState, type Notification } from '@nereid/domain/notification';
import { isUnreadableRecord, type Outbox, type VersionedState, type Waiting } from '@nereid/storage';
import pMap from 'p-map';
import type { Logger } from 'pino';
import type { NotificationMetrics } from '../../platform/metrics/notification-metrics.ts';
import { held, released, tooMuch, waitingForMs, WAITING_LIMIT } from '../destination-rules.ts';

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

/** Google takes one write of an object a second. After a kill, some are known no more that are published again: they are sent again. */
export const PACE_MS = 1_000;

/** Requests to storage at a time. */
export const AT_ONCE = 20;

export class Turn {
  readonly destination: Destination;
  readonly tools: DeliverTools;
  state: DestinationState;
  /** As it is stored. */
  #stored: VersionedState;
  #storedAtMs = performance.now();

  constructor(destination: Destination, tools: DeliverTools, stored: VersionedState) {
    this.destination = destination;
    this.tools = tools;
    this.state = stored.state;
    this.#stored = stored;
  }

  get name(): string {
    return this.destination.name;
  }

  /** What is too much or too old is dropped. */
  async listWaiting(): Promise<readonly Waiting[]> {
    const waiting = await this.tools.outbox.listWaiting(this.name, 2 * WAITING_LIMIT);
    const dropped = tooMuch(waiting, waitingForMs(this.destination), this.tools.now());
    if (dropped.length === 0) return waiting;
    await this.removeAll(dropped);
    dropped.forEach(() => {
      this.tools.onDelivery(this.name, 'dropped');
    });
    this.state = { ...this.state, dropped: this.state.dropped + dropped.length };
    const fields = { destination: this.name, count: dropped.length };
    this.tools.logger.warn(fields, 'notifications are dropped: too many, or too old');
    return waiting.filter((each) => !dropped.includes(each));
  }

  async removeAll(waiting: readonly Waiting[]): Promise<void> {
    await pMap(waiting, (each) => this.tools.outbox.remove(each), { concurrency: AT_ONCE });
  }

  /** Undefined when it is gone, was delivered before, or cannot be read: then nobody can use it. */
  async read(waiting: Waiting): Promise<Notification | undefined> {
    if (this.state.settled.includes(waiting.digest)) return undefined;
    const { outbox, logger, onDelivery } = this.tools;
    try {
      return await outbox.read(waiting);
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      logger.warn({ err: error, destination: this.name }, 'a notification cannot be read, and is dropped');
      onDelivery(this.name, 'dropped');
      return undefined;
    }
  }

  /** At the first attempt after an hour. */
  warnOnceStuck(before: DestinationState): void {
    if (!isStuck(this.state) || isStuck(before)) return;
    const { since, reason } = this.state.failing ?? {};
    this.tools.logger.warn(
      { destination: this.name, since, reason },
      'a destination has taken no notification for an hour: an operator has to look at it',
    );
  }

  /** False when another worker has taken over. */
  async store(when: 'now' | 'if-due'): Promise<boolean> {
    const { outbox, workerId, now } = this.tools;
    if (when === 'if-due' && this.#restLeft() > 0) return true;
    await sleep(this.#restLeft());
    const state = held(this.state, workerId, now()) ?? this.state;
    const stored = await outbox.writeState(this.name, state, this.#stored.version);
    if (stored === undefined) return false;
    this.#stored = stored;
    this.#storedAtMs = performance.now();
    return true;
  }

  /** Ends the turn. */
  async leave(nextMs: number): Promise<number> {
    await sleep(this.#restLeft());
    await this.tools.outbox.writeState(this.name, released(this.state), this.#stored.version);
    return nextMs;
  }

  /** In milliseconds. */
  #restLeft(): number {
    const { paceMs = PACE_MS } = this.tools;
    return Math.max(paceMs - (performance.now() - this.#storedAtMs), 0);
  }
}
