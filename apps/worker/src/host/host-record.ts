/** A host's record in storage: who asks for a lost worker sees there that its host lives, cut off from Temporal or busy. */
import type { HostRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import type { Slots } from './slots/slots.ts';

export interface HostRecordOptions {
  readonly hostId: string;
  readonly slots: Pick<Slots, 'usage'>;
  readonly records: Pick<HostRecords, 'write' | 'remove'>;
  readonly logger: Logger;
  /** For tests. */
  readonly everyMs?: number;
}

/** Four of them within the minute after which a silent host counts as away. */
const WRITTEN_EVERY_MS = 15_000;

/** Writes the record until it is stopped, and then takes it away: nobody waits for a host that said goodbye. */
export function keepHostRecord(options: HostRecordOptions): () => Promise<void> {
  const { hostId, slots, records, logger, everyMs = WRITTEN_EVERY_MS } = options;
  let writing: Promise<void> | undefined;
  const write = async () => {
    const { draining, total, used } = slots.usage();
    try {
      await records.write({ version: 1, hostId, at: new Date().toISOString(), slots: { total, used }, draining });
    } catch (error) {
      logger.warn({ err: error, host: hostId }, 'the record of this host could not be written');
    }
  };
  // A store that hangs is asked once, not every time.
  const next = () => {
    writing ??= write().finally(() => (writing = undefined));
  };
  const timer = setInterval(next, everyMs).unref();
  next();
  return async () => {
    clearInterval(timer);
    await writing;
    await records.remove(hostId).catch((error: unknown) => {
      logger.warn({ err: error, host: hostId }, 'the record of this host could not be removed');
    });
  };
}
