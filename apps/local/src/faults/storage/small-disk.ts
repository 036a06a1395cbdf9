/** A disk of its own below one folder, so small that a test can fill it. */
import { hasErrorCode } from '@nereid/subprocess';
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface SmallDisk {
  /** Fills the disk until not one more page fits. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  unmount(): Promise<void>;
}

const run = promisify(execFile);

/** Room for the records, plans and logs of a few small deployments. */
const SIZE = '8m';

/** The space that the smallest file takes. */
const PAGE = Buffer.alloc(4_096);

/** The folder must exist and be empty. */
export async function mountSmallDisk(folder: string): Promise<SmallDisk> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'tmpfs', folder]);
  const ballast = path.join(folder, 'ballast');
  return {
    fill: () => fill(ballast),
    makeRoom: () => rm(ballast),
    async unmount() {
      await run('umount', [folder]);
    },
  };
}

async function fill(ballast: string): Promise<void> {
  await using file = await open(ballast, 'a');
  for (;;) {
    try {
      await file.write(PAGE);
    } catch (error) {
      if (hasErrorCode(error, 'ENOSPC')) return;
      throw error;
    }
  }
}

/** Only root can mount a disk, only on Linux, and not in every container. */
export async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nereid-mount-'));
  try {
    await (await mountSmallDisk(folder)).unmount();
    return true;
  } catch {
    return false;
  } finally {
    await rmdir(folder);
  }
}
