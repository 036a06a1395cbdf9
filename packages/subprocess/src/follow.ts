import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FollowOptions {
  readonly file: string;
  /** Bytes to skip at the start, because they were already delivered. */
  readonly offset: number;
  /** Awaited before more is read. The receiver may keep the chunk. */
  readonly onOutput: (chunk: Uint8Array) => void | Promise<void>;
  /** Whether nothing more will be written. */
  readonly hasEnded: () => Promise<boolean> | boolean;
  /** An abort makes the follower look at once; it does not end it. */
  readonly wake?: AbortSignal;
  /** Called with the number of bytes written so far, of which some may not be read yet, so that a limit can be enforced. */
  readonly onProgress: (outputBytes: number) => void;
}

export interface Followed {
  readonly outputBytes: number;
  /** The error that `onOutput` threw; it was not called again. */
  readonly outputError?: unknown;
}

/** Fits one read of a chatty Terraform; small enough that a thousand followers need 64 MB at most. */
const CHUNK_BYTES = 64 * 1024;

/** The file of a new or talkative command is read often, so that its first line appears at once … */
const FIRST_PAUSE_MS = 5;

/** … and that of a silent command rarely: 10 reads a second cost nothing, and no reader notices the delay. */
const LONGEST_PAUSE_MS = 100;

/** Stands in the output where the command emptied its own file. */
const CUT = '\nThe output was cut by the command itself.\n';

/**
 * Tails a file until its writer has ended and all output is delivered. A file that has become shorter than what was read of it
 * is read again from its start, after a sentence that says so.
 */
export async function follow(options: FollowOptions): Promise<Followed> {
  await using file = await open(options.file, 'r');
  const reader = createReader(file, options);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    // Asked before reading, so that all output written before the end is read after it.
    const ended = await options.hasEnded();
    if (await reader.drain()) pause = FIRST_PAUSE_MS;
    if (ended) return reader.followed();
    await rest(pause, options.wake);
  }
}

function createReader(file: FileHandle, { offset, onOutput, onProgress }: FollowOptions) {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = offset;
  /** Of all that was read, also before the file was cut: a command that cuts it again and again meets the limit too. */
  let delivered = offset;
  let failed: { readonly outputError: unknown } | undefined;

  const deliver = async (chunk: Uint8Array) => {
    delivered += chunk.length;
    try {
      if (!failed) await onOutput(chunk);
    } catch (outputError) {
      failed = { outputError };
    }
  };
  /** A command is silent most of the time, and its size says so by one question. */
  const readOnce = async (): Promise<boolean> => {
    const { size } = await file.stat();
    if (size === position) return false;
    if (size < position) return cut();
    onProgress(delivered + size - position);
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return false;
    position += bytesRead;
    await deliver(Uint8Array.from(buffer.subarray(0, bytesRead)));
    return true;
  };
  const cut = async (): Promise<boolean> => {
    position = 0;
    await deliver(Buffer.from(CUT));
    return true;
  };
  return {
    /** Whether there was anything to read. */
    async drain(): Promise<boolean> {
      let any = false;
      while (await readOnce()) any = true;
      return any;
    },
    followed: (): Followed => ({ outputBytes: position, ...failed }),
  };
}

async function rest(ms: number, wake?: AbortSignal): Promise<void> {
  if (wake?.aborted) return;
  try {
    await sleep(ms, undefined, wake ? { signal: wake } : {});
  } catch (error) {
    if (!wake?.aborted) throw error;
  }
}
