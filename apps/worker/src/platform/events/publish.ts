/** Says once what happened. The subscribers know nothing of each other, nor does whoever publishes know them. */
import type { DomainEvent, StateEvent } from '@nereid/domain/events';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/** Publishes events in order. Throws what a subscriber throws that is waited for: another attempt publishes the same again. */
export type Publish = (...events: readonly DomainEvent[]) => Promise<void>;

export type Subscriber = (event: DomainEvent) => void | Promise<void>;

export interface Subscribers {
  /** Nothing goes on before these have an event, and nobody else hears of it before. */
  readonly waitedFor: readonly Subscriber[];
  /** Nothing waits for these, and their failures are only logged. */
  readonly others: readonly Subscriber[];
}

/** The lanes of a large installation, with long queues. A state that is forgotten is published once more when it is shown again. */
const REMEMBERED = 20_000;

export function createPublish({ waitedFor, others }: Subscribers, logger: Pick<Logger, 'error'>): Publish {
  const states = new LRUCache<string, string>({ max: REMEMBERED });

  /** A state is shown again if the forge did not take it, or if a place in the queue has changed. */
  function isRepeated({ id, deployment }: StateEvent): boolean {
    if (states.get(deployment.id) === id) return true;
    states.set(deployment.id, id);
    return false;
  }

  async function hearAlone(hear: Subscriber, event: DomainEvent): Promise<void> {
    try {
      await hear(event);
    } catch (error) {
      logger.error({ err: error, event: event.id }, 'a subscriber failed at an event');
    }
  }

  return async (...events) => {
    for (const event of events) {
      if (isState(event) && isRepeated(event)) continue;
      for (const hear of waitedFor) await hear(event);
      for (const hear of others) void hearAlone(hear, event);
    }
  };
}

function isState(event: DomainEvent): event is StateEvent {
  return 'since' in event && event.kind !== 'ended' && event.kind !== 'reminder';
}
