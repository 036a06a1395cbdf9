import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A file for what a command prints. It is never given to the command: whoever can reach its descriptors could overwrite it. */
export interface StdoutFile {
  readonly path: string;
  /** What comes after so many bytes is read, so that the command goes on, and is not kept. */
  readonly limitBytes: number;
}

export interface OpenStdoutFile extends AsyncDisposable {
  /**
   * Appends what is printed, no faster than the disk takes it. `onOver` is called once, when there is more than the limit. Returns
   * why it failed, such as a full disk.
   */
  appendFrom(stdout: Readable | null, onOver: () => void): Promise<string | undefined>;
}

export async function openStdoutFile({ path, limitBytes }: StdoutFile): Promise<OpenStdoutFile> {
  const file = await open(path, 'a', 0o600);
  return {
    async appendFrom(stdout, onOver) {
      try {
        await append(file, limitBytes, stdout, onOver);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

async function append(
  file: FileHandle,
  limitBytes: number,
  stdout: Readable | null,
  onOver: () => void,
): Promise<void> {
  let left = limitBytes;
  let isOver = false;
  for await (const chunk of (stdout ?? []) as AsyncIterable<Buffer>) {
    if (left > 0) await file.appendFile(chunk.subarray(0, left));
    if (chunk.length > left && !isOver) onOver();
    isOver ||= chunk.length > left;
    left = Math.max(0, left - chunk.length);
  }
}
