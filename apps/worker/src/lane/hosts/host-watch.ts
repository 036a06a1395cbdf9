/** Shares the records of hosts between the many deployments that wait for a host at the same time. */
import type { HostRecord } from '@nereid/domain/host';
import type { HostRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { whyNoHost } from './why-no-host.ts';

/** Hosts write every 15 s; a thousand waiting deployments ask storage no more often than one. */
const SEEN_FOR_MS = 5_000;

/** The sentence while the records of hosts cannot be read: a wait without any reason would be worse. */
const WAITING = 'Waiting for a host';

/** As long as the name of a pool may be. */
const NAME_LIMIT = 40;

export interface HostWatchOptions {
  readonly records: Pick<HostRecords, 'list'>;
  readonly logger: Logger;
  /** For tests. */
  readonly seenForMs?: number;
}

/** Returns a sentence for the activity `explainWait`. */
export function createHostWatch({ records, logger, seenForMs = SEEN_FOR_MS }: HostWatchOptions) {
  let seen: { readonly at: number; readonly hosts: Promise<readonly HostRecord[]> } | undefined;

  const leftOut = (err: Error) => {
    logger.warn({ err }, 'the record of a host cannot be read, and is left out');
  };
  const hosts = () => {
    if (seen === undefined || Date.now() - seen.at >= seenForMs)
      seen = { at: Date.now(), hosts: records.list(leftOut) };
    return seen.hosts;
  };

  return async (pool: string): Promise<string> => {
    try {
      // The pool came through Temporal, and people read it.
      return whyNoHost(await hosts(), Date.now(), pool.slice(0, NAME_LIMIT));
    } catch (err) {
      logger.warn({ err }, 'the records of hosts could not be read');
      return WAITING;
    }
  };
}
