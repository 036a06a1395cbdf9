/** What a process that loaded preload.ts wrote of its memory. */
import { join } from 'node:path';

export interface HeapUsage {
  /** How often it has collected its garbage because it was asked to. */
  readonly collected: number;
  /** MiB of the main thread. */
  readonly heap: number;
  /** MiB of the heaps of all other threads. */
  readonly threads: number;
  readonly buffers: number;
}

export function usageFileOf(folder: string, processId: number): string {
  return join(folder, `memory.${processId}`);
}
