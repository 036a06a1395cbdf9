/** Delivers the notifications of all destinations while a control worker runs. A sick destination holds up no other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Destination, ServerConfig } from '@nereid/config';
import { openDestination, type Sender } from '@nereid/notifications';
import { deliver } from './delivery/deliver.ts';
import { HeldBack } from './delivery/held-back.ts';
import { PACE_MS, type DeliverTools } from './delivery/turn.ts';

export interface KeepDeliveringOptions extends Omit<DeliverTools, 'signal' | 'now'> {
  readonly server: { current(): Pick<ServerConfig, 'notifications'> };
  /** Default: one that needs no forge. */
  readonly open?: (destination: Destination) => Sender;
  readonly everyMs?: number;
}

export interface Delivering {
  /** A notification was kept: all destinations are due. */
  deliverNow(): void;
  /** Ends after the attempts that are under way. */
  close(): Promise<void>;
}

/** Looks into memory, and into storage only when a destination is due. */
const EVERY_MS = 1_000;

/** Somebody may have had something sent again, or ended a pause, in another process. */
const LONGEST_MS = 60_000;

/** A destination that hangs must not hold up the stop of a worker. */
const STOP_MS = 2_000;

/** Storage is away. */
const FAILED_MS = 30_000;

export function keepDelivering(options: KeepDeliveringOptions): Delivering {
  const { server, logger, open = openDestination, everyMs = EVERY_MS, paceMs = PACE_MS } = options;
  const stopping = new AbortController();
  const tools: DeliverTools = { ...options, now: Date.now, signal: stopping.signal };
  const running = new Map<string, Promise<void>>();
  const dueAt = new Map<string, number>();
  /** The last round has just written the state of the destination, which the next one writes first. */
  const restsUntil = new Map<string, number>();
  const heldBack = new Map<string, HeldBack>();

  async function round(destination: Destination): Promise<void> {
    const { name } = destination;
    dueAt.set(name, Infinity);
    let nextMs = FAILED_MS;
    const held = heldBack.get(name) ?? new HeldBack();
    heldBack.set(name, held);
    try {
      nextMs = await deliver(destination, open(destination), tools, held);
    } catch (error) {
      logger.warn({ err: error, destination: name }, 'notifications cannot be read from storage, and wait');
    }
    running.delete(name);
    restsUntil.set(name, Date.now() + paceMs);
    // Whatever came meanwhile has made it due already.
    dueAt.set(name, Math.min(dueAt.get(name) ?? Infinity, Date.now() + Math.min(nextMs, LONGEST_MS)));
  }

  function deliverDue(): void {
    if (stopping.signal.aborted) return;
    for (const destination of server.current().notifications) {
      const { name } = destination;
      const fromMs = Math.max(dueAt.get(name) ?? 0, restsUntil.get(name) ?? 0);
      if (!running.has(name) && fromMs <= Date.now()) running.set(name, round(destination));
    }
  }

  const timer = setInterval(deliverDue, everyMs).unref();

  return {
    deliverNow() {
      for (const name of dueAt.keys()) dueAt.set(name, 0);
      deliverDue();
    },
    async close() {
      stopping.abort();
      clearInterval(timer);
      // What is not over by then is sent again by another worker, with the same id.
      await Promise.race([Promise.all(running.values()), sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
