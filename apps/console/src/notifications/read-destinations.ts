/** How it stands with the destinations of notifications, read once in a while for everybody who asks. */
import type { DestinationList, DestinationSummary } from '@nereid/api';
import { describeHours, type Destination, type ServerConfig } from '@nereid/config';
import { defined } from '@nereid/domain/defined';
import { describeDestination } from '@nereid/domain/notification';
import type { Outbox } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime } from '../platform/in-time.ts';

export type ReadDestinations = () => Promise<DestinationList>;

export interface DestinationSources {
  readonly server: { current(): Pick<ServerConfig, 'notifications'> };
  readonly outbox: Pick<Outbox, 'listWaiting' | 'readState'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly patienceMs: number;
  /** For tests. */
  readonly freshMs?: number;
}

/** Workers look at a destination within a minute. */
const FRESH_MS = 5_000;

/** As many as storage lists at once. */
const WAITING_LIMIT = 1_000;

export function createReadDestinations(sources: DestinationSources): ReadDestinations {
  const { server, freshMs = FRESH_MS } = sources;
  let known: { readonly readAtMs: number; readonly list: Promise<DestinationList> } | undefined;

  async function read(): Promise<DestinationList> {
    const { notifications } = server.current();
    return { items: await Promise.all(notifications.map((each) => readOne(sources, each))) };
  }

  return () => {
    if (known === undefined || Date.now() - known.readAtMs >= freshMs) known = { readAtMs: Date.now(), list: read() };
    return known.list;
  };
}

async function readOne(
  { outbox, logger, patienceMs }: DestinationSources,
  destination: Destination,
): Promise<DestinationSummary> {
  const { name, target } = destination;
  const about = { name, kind: target.kind, ...defined({ hours: describeHours(destination, Date.now()) }) };
  try {
    const both = Promise.all([outbox.listWaiting(name, WAITING_LIMIT), outbox.readState(name)]);
    const [waiting, found] = await inTime(both, patienceMs);
    const { kind: state, sentence } = describeDestination(name, found?.state);
    const { dropped = 0, deliveredAt, lastAttempt } = found?.state ?? {};
    return { ...about, state, sentence, waiting: waiting.length, dropped, ...defined({ deliveredAt, lastAttempt }) };
  } catch (error) {
    logger.warn({ err: error, destination: name }, 'the state of a destination cannot be read');
    const sentence = 'Storage does not say how it stands with this destination; the log of the console says why.';
    return { ...about, state: 'unread', sentence, dropped: 0 };
  }
}
