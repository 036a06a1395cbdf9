import { constants } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';

/**
 * Puts a copy of a plan at `to`, which may be its own path. Commands that could write to the plan, such as one that a lost
 * worker left running, have the earlier file: none of them can change the copy.
 */
export async function copyPlan(from: string, to: string): Promise<void> {
  const copy = `${to}.copy`;
  await copyFile(from, copy, constants.COPYFILE_FICLONE);
  await rename(copy, to);
}
