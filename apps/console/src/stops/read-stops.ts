/** Who has stopped what, read once in a while for everybody who asks. */
import type { PoolStop, Stop } from '@nereid/domain/gates';
import { isUnreadableRecord, type StopRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime, STORAGE_PATIENCE_MS } from '../platform/in-time.ts';

export interface KnownStops {
  /** In force at the time of the reading. */
  readonly stops: readonly Stop[];
  /** Undefined when the record of them cannot be read. */
  readonly ofPools: readonly PoolStop[] | undefined;
}

/** Undefined when storage does not answer. */
export type ReadStops = () => Promise<KnownStops | undefined>;

/** A person who stops or thaws looks at the page right after. */
const FRESH_MS = 1_000;

export interface StopSources {
  readonly stopRecords: Pick<StopRecords, 'list' | 'readPools'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly freshMs?: number;
  readonly patienceMs?: number;
}

/** Who asks while they are read waits for the same reading. A failure is not kept. */
export function createReadStops(sources: StopSources): ReadStops {
  const { stopRecords, logger, freshMs = FRESH_MS, patienceMs = STORAGE_PATIENCE_MS } = sources;
  let known: { readonly readAtMs: number; readonly stops: ReturnType<ReadStops> } | undefined;

  const onUnreadable = (err: Error) => {
    logger.warn({ err }, 'a record of stops cannot be read, and is left out');
  };

  async function readPools(): Promise<readonly PoolStop[] | undefined> {
    try {
      return (await stopRecords.readPools()).stops.map(({ body }) => body);
    } catch (error) {
      if (!isUnreadableRecord(error)) throw error;
      onUnreadable(error);
      return undefined;
    }
  }

  async function read(): ReturnType<ReadStops> {
    try {
      const [stops, ofPools] = await inTime(Promise.all([stopRecords.list(onUnreadable), readPools()]), patienceMs);
      const now = new Date().toISOString();
      const isInForce = ({ until }: { readonly until: string }) => until > now;
      return { stops: stops.map(({ body }) => body).filter(isInForce), ofPools: ofPools?.filter(isInForce) };
    } catch (error) {
      logger.warn({ err: error }, 'the records of stops cannot be read');
      known = undefined;
      return undefined;
    }
  }

  return () => {
    if (known === undefined || Date.now() - known.readAtMs >= freshMs) known = { readAtMs: Date.now(), stops: read() };
    return known.stops;
  };
}
