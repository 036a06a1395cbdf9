/** A host's record in storage. It shows that the host of a seemingly lost worker lives, cut off from Temporal or busy. */
import { DEFAULT_POOL } from '@nereid/domain/root';
import type { HostRecords } from '@nereid/storage';
import type { Logger } from 'pino';
import { roomAt } from '../../platform/disk/room.ts';
import type { Slots } from '../slots/slots.ts';

type HostRecordStore = Pick<HostRecords, 'write' | 'remove' | 'list'>;

export interface HostRecordOptions {
  readonly hostId: string;
  readonly pool: string;
  readonly slots: Pick<Slots, 'usage' | 'holders' | 'onDrain'>;
  readonly release: string;
  /** The folder of the worker's data. */
  readonly dataDir: string;
  readonly records: HostRecordStore;
  /** Called before each write, so that the record shows what the host does now. Never throws. */
  readonly drainAsAsked: () => Promise<void>;
  readonly logger: Logger;
  /** For tests. */
  readonly everyMs?: number;
}

/** Four writes within the minute after which a silent host counts as away. */
const WRITTEN_EVERY_MS = 15_000;

/** Nobody reads more on a page. */
const RUNS_LIMIT = 100;

/** Longer than any wait for a host that may come back. A new data folder makes a new host, so old records are left over. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** Writes the record until the returned function removes it, so that nobody waits for a host that said goodbye. */
export function keepHostRecord(options: HostRecordOptions): () => Promise<void> {
  const { hostId, pool, slots, release, dataDir, records, drainAsAsked, logger, everyMs = WRITTEN_EVERY_MS } = options;
  const startedAt = new Date().toISOString();
  let writing: Promise<void> | undefined;
  const write = async () => {
    await drainAsAsked();
    const { draining, total, used, previews } = slots.usage();
    const at = new Date().toISOString();
    const disk = await roomAt(dataDir);
    const runs = slots.holders().slice(0, RUNS_LIMIT);
    try {
      const host = { version: 1, hostId, ...(pool !== DEFAULT_POOL && { pool }) } as const;
      await records.write({
        ...host,
        at,
        slots: { total, used },
        previews,
        ...(disk && { disk }),
        runs,
        draining,
        startedAt,
        release,
      });
    } catch (error) {
      logger.warn({ err: error, host: hostId }, 'the record of this host could not be written');
    }
  };
  // A store that hangs gets one request, not one for each interval.
  const next = () => {
    writing ??= write().finally(() => (writing = undefined));
  };
  const timer = setInterval(next, everyMs).unref();
  // People who wait for a host read why, and a wait is looked at again only after a minute. A write may have drained it itself.
  slots.onDrain(() => {
    queueMicrotask(next);
  });
  next();
  const forgetting = forgetTheDead(records, logger);
  return async () => {
    clearInterval(timer);
    await writing;
    await forgetting;
    await records.remove(hostId).catch((error: unknown) => {
      logger.warn({ err: error, host: hostId }, 'the record of this host could not be removed');
    });
  };
}

/** Removes the records of hosts that were killed and never came back: every listing of hosts would read them for ever. */
async function forgetTheDead(records: HostRecordStore, logger: Logger): Promise<void> {
  const before = Date.now() - FORGOTTEN_AFTER_MS;
  try {
    const all = await records.list((err) => {
      logger.warn({ err }, 'the record of a host cannot be read, and stays');
    });
    const dead = all.filter(({ at }) => Date.parse(at) < before);
    await Promise.all(dead.map(({ hostId }) => records.remove(hostId)));
  } catch (error) {
    logger.warn({ err: error }, 'the records of hosts that are gone could not be removed');
  }
}
