import type { ObjectStore } from '../objects/object-store.ts';
import { CHUNK_LIMIT_BYTES } from './log-keys.ts';
import { createLogStorage, type LogPatience } from './log-storage.ts';
import { createSecretMask } from './secret-mask.ts';

/** Writes the log of one job while it runs. No method rejects. */
export interface LogWriter {
  /** Hides this secret too, in all that is written from here on. */
  learn(secret: string): void;
  /** Bytes of the same job that are shown elsewhere, without the secrets that are known by now. */
  masked(output: Uint8Array): Uint8Array;
  /** Takes output as it comes. Waits while more than `BUFFER_LIMIT_BYTES` are on their way to a slow store. */
  write(output: Uint8Array): Promise<void>;
  /** Stores what is left and closes the log; done within about two minutes even if the store is gone. */
  end(): Promise<void>;
}

export interface LogWriterOptions {
  /** Every secret that could show in the output and is known at its beginning. */
  readonly mask: readonly string[];
  /** Told of each attempt to store that failed. Must not throw. */
  readonly onError: (error: unknown) => void;
}

export interface LogPace extends LogPatience {
  /** Output is stored this long after it came, or when it fills a chunk. */
  readonly flushMs: number;
}

/** A reader sees output after a second; a minute's outage loses nothing, and holds an ended job up no longer than that. */
export const LOG_PACE: LogPace = { flushMs: 1_000, patienceMs: 60_000, retryMs: 1_000, pauseMs: 30_000 };

/** Of output that is not stored yet. Terraform writes to a file, so whoever reads that file can well wait. */
export const BUFFER_LIMIT_BYTES = 1024 * 1024;

export function createLogWriter(store: ObjectStore, jobId: string, options: LogWriterOptions & LogPace): LogWriter {
  const storage = createLogStorage(store, jobId, options);
  const mask = createSecretMask(options.mask);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;

  function add(masked: Buffer): void {
    if (masked.length === 0) return;
    pending.push(masked);
    pendingBytes += masked.length;
    arrange();
  }

  function arrange(): void {
    if (storing !== undefined || pendingBytes === 0) return;
    if (pendingBytes >= CHUNK_LIMIT_BYTES) storing = storeNext();
    else timer ??= setTimeout(flush, options.flushMs);
  }

  function flush(): void {
    storing ??= storeNext();
  }

  async function storeNext(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await storage.append(takeChunk());
    storing = undefined;
    arrange();
  }

  function takeChunk(): Buffer {
    const all = Buffer.concat(pending);
    const chunk = all.subarray(0, CHUNK_LIMIT_BYTES);
    pending = [all.subarray(chunk.length)];
    pendingBytes -= chunk.length;
    return chunk;
  }

  return {
    learn: (secret) => mask.learn(secret),
    masked: (output) => mask.masked(output),
    async write(output) {
      for (let at = 0; at < output.length; at += CHUNK_LIMIT_BYTES) {
        add(mask.push(output.subarray(at, at + CHUNK_LIMIT_BYTES)));
        while (pendingBytes > BUFFER_LIMIT_BYTES) await storing;
      }
    },

    async end() {
      add(mask.rest());
      for (;;) {
        if (pendingBytes > 0) flush();
        if (storing === undefined) break;
        await storing;
      }
      await storage.end();
    },
  };
}
