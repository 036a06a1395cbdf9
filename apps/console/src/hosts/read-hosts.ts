/** All hosts, read once in a while for everybody who asks. */
import type { HostSummary } from '@nereid/api';
import type { HostRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { inTime, STORAGE_PATIENCE_MS } from '../in-time.ts';
import { hostSummaryOf, inOrder } from './host-summary.ts';

/** Those that are away come first. Undefined when storage does not answer. */
export type ReadHosts = () => Promise<readonly HostSummary[] | undefined>;

/** A host counts as away after a minute. */
const FRESH_MS = 5_000;

/** Who asks while they are read waits for the same reading. A failure is not kept. `freshMs` and `patienceMs` are for tests. */
export function createReadHosts(
  records: Pick<HostRecords, 'list'>,
  logger: Pick<Logger, 'warn'>,
  freshMs = FRESH_MS,
  patienceMs = STORAGE_PATIENCE_MS,
): ReadHosts {
  let known: { readonly readAtMs: number; readonly hosts: ReturnType<ReadHosts> } | undefined;

  async function read(): ReturnType<ReadHosts> {
    try {
      const all = await inTime(records.list(), patienceMs);
      return inOrder(all.map((record) => hostSummaryOf(record, Date.now())));
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
