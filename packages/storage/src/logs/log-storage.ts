import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectStore } from '../objects/object-store.ts';
import { chunkKey, manifestKey, type LogName } from './log-keys.ts';
import { manifestFormat } from './log-manifest.ts';
import { createLogReader } from './log-reader.ts';

/**
 * Stores the chunks of one log, one after the other. No method rejects: a log that cannot be stored must not fail a job.
 * A failed write is retried for `patienceMs`. Then its chunk is lost, and so are all chunks of the next `pauseMs`: an
 * outage must hold a job up once, not at every chunk. Where bytes are missing, the log says so.
 */
export interface LogStorage {
  append(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

export interface LogPatience {
  readonly patienceMs: number;
  readonly retryMs: number;
  readonly pauseMs: number;
}

export interface LogStorageOptions extends LogPatience {
  readonly onError: (error: unknown) => void;
}

export function createLogStorage(store: ObjectStore, log: LogName, options: LogStorageOptions): LogStorage {
  const { onError, patienceMs, retryMs, pauseMs } = options;
  /** Where the next chunk goes: after the output of any earlier attempt at the job. */
  let offset: number | undefined;
  let chunks = 0;
  let lostBytes = 0;
  let unsaidBytes = 0;
  let pausedUntil = 0;

  /** Whether the call succeeded in time. */
  async function storeInTime(call: () => Promise<void>): Promise<boolean> {
    // After a lost chunk, which waited in vain, the store is tried only once.
    const deadline = Date.now() + (unsaidBytes > 0 ? 0 : patienceMs);
    for (;;) {
      try {
        await call();
        return true;
      } catch (error) {
        onError(error);
        if (Date.now() + retryMs > deadline) return false;
      }
      await sleep(retryMs);
    }
  }

  async function put(body: Uint8Array): Promise<void> {
    offset ??= await reopen(store, log);
    // A log need not survive a power cut; that is not worth two fsyncs per second and job.
    await store.put(chunkKey(log, offset), body, { synced: false });
    offset += body.length;
    chunks += 1;
  }

  async function sayWhatWasLost(): Promise<void> {
    if (unsaidBytes === 0) return;
    await put(Buffer.from(`\n[nereid: ${unsaidBytes} bytes of this log could not be stored]\n`));
    unsaidBytes = 0;
  }

  return {
    async append(chunk) {
      const stored =
        Date.now() >= pausedUntil &&
        (await storeInTime(async () => {
          await sayWhatWasLost();
          await put(chunk);
        }));
      if (stored) return;
      lostBytes += chunk.length;
      unsaidBytes += chunk.length;
      if (Date.now() >= pausedUntil) pausedUntil = Date.now() + pauseMs;
    },

    async end() {
      await storeInTime(async () => {
        await sayWhatWasLost();
        offset ??= await reopen(store, log);
        const manifest = { version: 1 as const, chunks, bytes: offset, lostBytes, endedAt: new Date().toISOString() };
        const key = manifestKey(log);
        await store.put(key, manifestFormat.encode(key, manifest), { synced: false });
      });
    },
  };
}

/** A job that is tried again continues its log, which is then no longer complete. */
async function reopen(store: ObjectStore, log: LogName): Promise<number> {
  const { bytes, isComplete } = await createLogReader(store, log).size();
  if (isComplete) await store.delete(manifestKey(log));
  return bytes;
}
