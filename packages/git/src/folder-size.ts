import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The unit of `blocks` in POSIX, whatever the block size of the disk. */
const BLOCK_BYTES = 512;

/** The bytes that a folder takes on the disk, with everything in it. Files that are removed meanwhile count as zero. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = await sizeOf(folder);
  // One after the other: nobody waits for this, and git needs the disk.
  for (const entry of entries) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? await folderSize(path) : await sizeOf(path);
  }
  return bytes;
}

async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? 0 : found.blocks * BLOCK_BYTES;
}
