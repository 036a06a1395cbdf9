import type { ObjectStore } from '../objects/object-store.ts';
import { CHUNK_LIMIT_BYTES, type LogName } from './log-keys.ts';
import { createLogStorage, type LogPatience } from './log-storage.ts';
import { createSecretMask, type MaskedStream } from './secret-mask.ts';

/** Writes the log of one job while it runs. No method rejects. */
export interface LogWriter {
  /** Hides this secret too, in all later output. */
  learn(secret: string): void;
  /** As in `SecretMask`. */
  learnExactly(values: readonly string[]): void;
  /** Masks the secrets that are known so far in output of the same job that is shown elsewhere. */
  masked(output: Uint8Array): Uint8Array;
  /** The same for output that comes in pieces. */
  maskedStream(): MaskedStream;
  /** Takes output as it comes. Waits while more than `BUFFER_LIMIT_BYTES` are queued for a slow store. */
  write(output: Uint8Array): Promise<void>;
  /** Stores the remaining output and closes the log, within about two minutes even if the store is gone. */
  end(): Promise<void>;
}

export interface LogWriterOptions {
  /** Every secret that is known from the start and could appear in the output. */
  readonly mask: readonly string[];
  /** Called for each failed attempt to store. Must not throw. */
  readonly onError: (error: unknown) => void;
}

export interface LogPace extends LogPatience {
  /** Output is stored this long after it came, or as soon as it fills a chunk. */
  readonly flushMs: number;
}

/** A reader sees output after a second. An outage of a minute loses nothing, and delays the end of a job by no more. */
export const LOG_PACE: LogPace = { flushMs: 1_000, patienceMs: 60_000, retryMs: 1_000, pauseMs: 30_000 };

/** The limit of queued output. Terraform writes to a file, so the reader of that file can afford to wait. */
export const BUFFER_LIMIT_BYTES = 1024 * 1024;

export function createLogWriter(store: ObjectStore, log: LogName, options: LogWriterOptions & LogPace): LogWriter {
  const storage = createLogStorage(store, log, options);
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
    await storage.append(removeChunk());
    storing = undefined;
    arrange();
  }

  function removeChunk(): Buffer {
    const all = Buffer.concat(pending);
    const chunk = all.subarray(0, CHUNK_LIMIT_BYTES);
    pending = [all.subarray(chunk.length)];
    pendingBytes -= chunk.length;
    return chunk;
  }

  return {
    learn: (secret) => mask.learn(secret),
    learnExactly: (values) => mask.learnExactly(values),
    masked: (output) => mask.masked(output),
    maskedStream: () => mask.aside(),
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
