/** All hosts, read once in a while for everybody who asks. */
import type { DrainRecords, HostRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime, STORAGE_PATIENCE_MS } from '../platform/in-time.ts';
import { listHosts, type KnownHosts } from './list-hosts.ts';

/** Undefined when storage does not answer. */
export type ReadHosts = () => Promise<KnownHosts | undefined>;

/** A host counts as away after a minute. */
const FRESH_MS = 5_000;

export interface HostSources {
  readonly hostRecords: Pick<HostRecords, 'list'>;
  readonly drainRecords: Pick<DrainRecords, 'list'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly freshMs?: number;
  readonly patienceMs?: number;
}

/** Who asks while they are read waits for the same reading. A failure is not kept. */
export function createReadHosts(sources: HostSources): ReadHosts {
  const { hostRecords, drainRecords, logger, freshMs = FRESH_MS, patienceMs = STORAGE_PATIENCE_MS } = sources;
  let known: { readonly readAtMs: number; readonly hosts: ReturnType<ReadHosts> } | undefined;

  const onUnreadable = (err: Error) => {
    logger.warn({ err }, 'a record of a host cannot be read, and is left out');
  };

  async function read(): ReturnType<ReadHosts> {
    try {
      const read = Promise.all([hostRecords.list(onUnreadable), drainRecords.list(onUnreadable)]);
      const [records, asked] = await inTime(read, patienceMs);
      return listHosts(records, asked, Date.now());
    } catch (error) {
      logger.warn({ err: error }, 'the records of hosts cannot be read');
      known = undefined;
      return undefined;
    }
  }

  return () => {
    if (known === undefined || Date.now() - known.readAtMs >= freshMs) known = { readAtMs: Date.now(), hosts: read() };
    return known.hosts;
  };
}
