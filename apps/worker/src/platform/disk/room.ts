import { statfs } from 'node:fs/promises';

export interface Room {
  /** What this process can still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Of the disk that a folder is on. Undefined where it cannot be told, as for a folder that is not there. */
export async function roomAt(folder: string): Promise<Room | undefined> {
  try {
    const { bsize, bavail, blocks } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}
