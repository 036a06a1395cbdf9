import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';

/** A file by which a tool remembers a choice has a few lines. */
const SMALL_BYTES = 16 * 1024;

/**
 * Reads a file of a working tree, outside of any sandbox; empty where there is no such file. The code of the root may have made
 * it. So a link that leaves the tree, which could lead to a secret of the host, is no file; nor are a pipe and a device, or a file that
 * is too long.
 */
export async function readTreeFile(file: string, treeDir: string, limitBytes = SMALL_BYTES): Promise<string> {
  try {
    const real = await realpath(file);
    if (!real.startsWith((await realpath(treeDir)) + path.sep)) return '';
    return await readBounded(real, limitBytes);
  } catch {
    return '';
  }
}

/** A pipe would be waited for, and a device has no end. */
async function readBounded(file: string, limitBytes: number): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (!found.isFile() || found.size > limitBytes) return '';
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0);
  return buffer.toString('utf8', 0, bytesRead);
}
