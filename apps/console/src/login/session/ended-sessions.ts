/**
 * Sessions that were ended before their time, so that a copy of their cookie counts no more, at no console of the installation. They
 * are names in storage, `logouts/<until>-<session>`, which say until when the cookie would have counted.
 */
import type { ObjectStore } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime } from '../../platform/in-time.ts';

export interface EndedSessions {
  /** `untilMs` is in milliseconds since 1970. False when the other consoles could not be told. */
  end(id: string, untilMs: number): Promise<boolean>;
  has(id: string): Promise<boolean>;
}

export interface EndedSessionsOptions {
  readonly store: Pick<ObjectStore, 'put' | 'list' | 'delete'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly freshMs?: number;
  readonly patienceMs?: number;
}

/** With what a stream needs to notice, others hear of a logout within half a minute. */
const FRESH_MS = 10_000;

/** Everybody with a session waits for it. */
const PATIENCE_MS = 1_500;

const PREFIX = 'logouts/';

/** More people than log out within half a day; a hundred bytes each. */
const LIMIT = 50_000;

/** Of those that are over, with each look. */
const REMOVED_AT_ONCE = 20;

const NAME = /^logouts\/(?<untilMs>\d{13})-(?<id>[\da-f-]{36})$/;

/** Looks in storage only while somebody comes with a session. While storage is slow or away, what was known before counts. */
export function createEndedSessions(options: EndedSessionsOptions): EndedSessions {
  const { store, logger, freshMs = FRESH_MS, patienceMs = PATIENCE_MS } = options;
  const own = new Map<string, number>();
  let others: ReadonlySet<string> = new Set();
  let readAtMs = -Infinity;
  let reading: Promise<unknown> | undefined;
  /** For those who come while it goes on: for the first of them it may be long. */
  let waited: Promise<unknown> = Promise.resolve();

  async function read(): Promise<void> {
    readAtMs = Date.now();
    try {
      const found = new Set<string>();
      const over: string[] = [];
      for await (const key of store.list(PREFIX, { limit: LIMIT })) {
        const { untilMs, id } = NAME.exec(key)?.groups ?? {};
        if (id === undefined) continue;
        if (Number(untilMs) > Date.now()) found.add(id);
        else if (over.length < REMOVED_AT_ONCE) over.push(key);
      }
      others = found;
      void remove(over);
    } catch (error) {
      logger.warn({ err: error }, 'sessions that were ended elsewhere cannot be read: those known before count');
    }
  }

  async function remove(keys: readonly string[]): Promise<void> {
    try {
      for (const key of keys) await store.delete(key);
    } catch (error) {
      logger.warn({ err: error }, 'sessions that would be over by now stay in storage');
    }
  }

  /** Once at a time, and never again before the last one has ended: a storage that hangs gets one request. */
  function look(): void {
    if (reading !== undefined || Date.now() - readAtMs < freshMs) return;
    reading = read().finally(() => (reading = undefined));
    waited = inTime(reading, patienceMs).catch(() => undefined);
  }

  return {
    async end(id, untilMs) {
      for (const [each, until] of own) if (until <= Date.now()) own.delete(each);
      own.set(id, untilMs);
      try {
        await store.put(`${PREFIX}${untilMs}-${id}`, new Uint8Array(), { synced: false });
        return true;
      } catch (error) {
        logger.warn({ err: error }, 'a session that was ended here may go on at other consoles');
        return false;
      }
    },
    async has(id) {
      if (own.has(id)) return true;
      look();
      await waited;
      return others.has(id);
    },
  };
}
