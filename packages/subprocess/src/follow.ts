import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FollowOptions {
  readonly file: string;
  /** Bytes to leave out from the start: what was delivered before. */
  readonly offset: number;
  /** Awaited before more is read. The chunk is the receiver's to keep. */
  readonly onOutput: (chunk: Uint8Array) => void | Promise<void>;
  /** Whether nothing will be written any more. */
  readonly hasEnded: () => Promise<boolean> | boolean;
  /** Aborted when it is worth looking at once; following goes on. */
  readonly wake?: AbortSignal;
  /** Told how many bytes were read, so that a limit can be kept. */
  readonly onProgress: (outputBytes: number) => void;
}

export interface Followed {
  readonly outputBytes: number;
  /** What `onOutput` threw; it was not called again. */
  readonly outputError?: unknown;
}

/** One read of a chatty Terraform; small enough that a thousand followers need 64 MB at most. */
const CHUNK_BYTES = 64 * 1024;

/** A young or talking command is looked at often, so that its first line is there at once … */
const FIRST_PAUSE_MS = 5;

/** … a silent one rarely: 10 looks a second cost nothing and no reader notices. */
const LONGEST_PAUSE_MS = 100;

/** Tails a file until its writer has ended and all of it is delivered. */
export async function follow(options: FollowOptions): Promise<Followed> {
  await using file = await open(options.file, 'r');
  const reader = createReader(file, options);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    // Asked before reading: what was written before the end is read after it.
    const ended = await options.hasEnded();
    if (await reader.drain()) pause = FIRST_PAUSE_MS;
    if (ended) return reader.followed();
    await rest(pause, options.wake);
  }
}

function createReader(file: FileHandle, { offset, onOutput, onProgress }: FollowOptions) {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = offset;
  let failed: { readonly outputError: unknown } | undefined;

  const deliver = async (chunk: Uint8Array) => {
    try {
      if (!failed) await onOutput(chunk);
    } catch (outputError) {
      failed = { outputError };
    }
  };
  const readOnce = async (): Promise<boolean> => {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return false;
    position += bytesRead;
    onProgress(position);
    await deliver(Uint8Array.from(buffer.subarray(0, bytesRead)));
    return true;
  };
  return {
    /** Whether there was anything. */
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
