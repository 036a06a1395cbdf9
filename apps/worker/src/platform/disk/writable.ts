/** Whether a folder can be written, found out by writing, and without making the folder where it is not there yet. */
import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LocatedProblem } from '@nereid/config';

/** A block of most disks: one that is full takes the name of a file, and no content. */
const BYTES = 4_096;

/** `path` is the name of the setting. The problem is that the folder, or the one that it would be made in, cannot be written. */
export async function whyNotWritable(path: string, folder: string): Promise<LocatedProblem | undefined> {
  const there = await existingPart(folder);
  const file = join(there, `.nereid-doctor-${randomUUID()}`);
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.write(Buffer.alloc(BYTES));
      await handle.sync();
    } finally {
      await handle.close();
      await rm(file);
    }
    return undefined;
  } catch (error) {
    const found = REASONS.get(codeOf(error)) ?? 'that it cannot be written';
    const message = `expected a folder that this worker can write at ${folder}, found ${found} (${codeOf(error)}); give it to the user of this process on a disk that has room and can be written, or choose another`;
    return { path, message };
  }
}

/** The folder, or the one that it would be made in. */
export async function existingPart(folder: string): Promise<string> {
  for (let each = folder; ; each = dirname(each)) {
    if (each === dirname(each) || (await isThere(each))) return each;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // One that nobody may look into is there.
    return codeOf(error) !== 'ENOENT';
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'that it may not'],
  ['EPERM', 'that it may not'],
  ['EROFS', 'a disk that can only be read'],
  ['ENOSPC', 'no room on its disk'],
  ['EDQUOT', 'that its quota is used up'],
  ['ENOTDIR', 'a file there'],
]);

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}
