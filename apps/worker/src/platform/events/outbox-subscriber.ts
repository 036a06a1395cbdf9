/**
 * Keeps the notifications that the server's file wants in storage, from where a control worker delivers them. A deployment waits
 * for storage for two seconds at most, and for a destination never.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { wantsNotification, type ServerConfig } from '@nereid/config';
import type { DomainEvent } from '@nereid/domain/events';
import { notificationOf, type Notification, type NotificationLinks } from '@nereid/domain/notification';
import type { Outbox } from '@nereid/storage';
import { LRUCache } from 'lru-cache';
import pRetry from 'p-retry';
import type { Logger } from 'pino';
import type { Subscriber } from './publish.ts';

export interface OutboxSubscriberOptions {
  readonly server: { current(): Pick<ServerConfig, 'notifications'> };
  readonly outbox: Pick<Outbox, 'keep'>;
  readonly pages: NotificationLinks;
  readonly logger: Pick<Logger, 'error'>;
  /** Called once something waits for its delivery. */
  readonly onKept: () => void;
  /** For tests. */
  readonly patienceMs?: number;
  readonly pauseMs?: number;
  readonly flushMs?: number;
}

interface OutboxSubscriber {
  readonly hear: Subscriber;
  /** Before the end of the process: storage gets a last chance to take what it has not taken yet. */
  flush(): Promise<void>;
}

/** A write takes tens of milliseconds. Storage that is away holds up a deployment by itself. */
const PATIENCE_MS = 2_000;

/** With pauses from a second to a minute, for some ten minutes. */
const RETRIES = 14;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** A stop may take no longer for storage that is away. */
const FLUSH_MS = 5_000;

/** While storage is away, so many wait in memory. Each has a few hundred bytes. */
const UNKEPT_LIMIT = 10_000;

/** Whoever forges messages forges thousands, which are one notification an hour. What is forgotten is recognised when it is delivered. */
const REMEMBERED = 10_000;

/** What is older is no news: a worker that was restarted shows states again that have lasted for days. */
const NEWS_MS = 24 * 3_600_000;

export function createOutboxSubscriber(options: OutboxSubscriberOptions): OutboxSubscriber {
  const { server, outbox, pages, logger, onKept } = options;
  const { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS, flushMs = FLUSH_MS } = options;
  const unkept = new Set<Promise<void>>();
  const known = new LRUCache<string, true>({ max: REMEMBERED });

  async function keep(destination: string, notification: Notification, arrived: Date): Promise<void> {
    const key = keyOf(destination, notification);
    if (known.has(key)) return;
    if (unkept.size >= UNKEPT_LIMIT) {
      logger.error({ destination, notification: notification.id }, 'a notification is dropped: storage takes none');
      return;
    }
    known.set(key, true);
    const keeping = store(destination, notification, arrived);
    unkept.add(keeping);
    await keeping;
    unkept.delete(keeping);
  }

  async function store(destination: string, notification: Notification, arrived: Date): Promise<void> {
    try {
      await pRetry(() => outbox.keep(destination, notification, arrived), {
        retries: RETRIES,
        minTimeout: pauseMs,
        maxTimeout: LONGEST_PAUSE_MS,
        unref: true,
      });
      onKept();
    } catch (error) {
      known.delete(keyOf(destination, notification));
      const fields = { err: error, destination, notification: notification.id };
      logger.error(fields, 'a notification is dropped: it could not be stored');
    }
  }

  /** The times of an event come through Temporal, so they may be anything. */
  function newsOf(event: DomainEvent, now: Date): Notification | undefined {
    try {
      const notification = notificationOf(event, pages, now);
      const isNews = notification && now.getTime() - Date.parse(notification.at) <= NEWS_MS;
      return isNews ? notification : undefined;
    } catch (error) {
      logger.error({ err: error, event: event.id }, 'an event makes no notification');
      return undefined;
    }
  }

  const hear: Subscriber = async (event) => {
    const destinations = server.current().notifications;
    if (destinations.length === 0) return;
    const now = new Date();
    const notification = newsOf(event, now);
    const wanting = notification ? destinations.filter((each) => wantsNotification(each, notification)) : [];
    if (notification === undefined || wanting.length === 0) return;
    const kept = Promise.all(wanting.map(({ name }) => keep(name, notification, now)));
    await Promise.race([kept, sleep(patienceMs, undefined, { ref: false })]);
  };

  return {
    hear,
    async flush() {
      if (unkept.size === 0) return;
      const over = new AbortController();
      const late = sleep(flushMs, 'late', { signal: over.signal }).catch(() => 'kept');
      const end = await Promise.race([Promise.all(unkept), late]);
      over.abort();
      if (end === 'late') logger.error({ count: unkept.size }, 'notifications are dropped: storage takes none');
    },
  };
}

function keyOf(destination: string, { id }: Notification): string {
  return `${destination} ${id}`;
}
