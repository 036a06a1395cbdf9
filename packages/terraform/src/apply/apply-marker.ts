import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';

const MARKER = 'apply.marker';

/**
 * An apply starts once: whoever makes the marker may start it, nobody else. False when it was there. It is on the disk before
 * this resolves, so that it outlives a crash of the machine that the apply has outrun.
 *
 * Whoever looks for an apply after a crash makes it too: then a late starter, frozen until now, finds it and refuses.
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

/** For whoever made it and knows that nothing has begun: the same host may be asked again. */
export async function removeApplyMarker(folder: string): Promise<void> {
  await rm(path.join(folder, MARKER), { force: true });
}
