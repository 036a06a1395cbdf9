import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';

const MARKER = 'apply.marker';

/**
 * Makes the marker of an apply; false when it exists. An apply starts at most once, because only the process that made the
 * marker may start it. The marker is on the disk before this resolves, so that it survives a crash during the apply.
 *
 * A process that looks for an apply after a crash makes the marker too: then a process that was frozen before its apply
 * finds the marker and does not start.
 */
export async function createApplyMarker(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await using marker = await open(path.join(folder, MARKER), 'wx', 0o600);
    await marker.sync();
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
  await using directory = await open(folder, 'r');
  await directory.sync();
  return true;
}

/** For the process that made the marker and knows that nothing has begun: the same host may be asked again. */
export async function removeApplyMarker(folder: string): Promise<void> {
  await rm(path.join(folder, MARKER), { force: true });
}
