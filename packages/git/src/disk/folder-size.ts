import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What POSIX counts in `blocks`, whatever the disk's own are. */
const BLOCK_BYTES = 512;

/** The bytes that a folder takes on the disk, with everything in it; what goes meanwhile counts nothing. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = await sizeOf(folder);
  // One after the other: it is nobody's wait, and git wants the disk.
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
