/**
 * Two runs that start together on a fresh machine must not both build for minutes: the second waits for the first.
 *
 * The lock saves work; it does not guard correctness. An installation is renamed into place as a whole, so two at once, after
 * a stale lock was broken twice, only waste time.
 */
import { hasErrorCode } from '@nereid/subprocess';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { InstallError } from './errors.ts';
import type { Report } from './report.ts';

/** Longer than the longest installation may take: a build of Kubernetes, 90 minutes after its download. */
const WAIT_LIMIT_MS = 100 * 60_000;
/** Unnoticeable beside an installation of seconds, and no load. */
const POLL_MS = 250;

export interface InstallLock {
  readonly file: string;
  readonly report: Report;
  /** Ends the wait, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export async function withInstallLock<T>(lock: InstallLock, work: () => Promise<T>): Promise<T> {
  await acquire(lock);
  try {
    return await work();
  } finally {
    await rm(lock.file, { force: true });
  }
}

async function acquire({ file, report, signal }: InstallLock): Promise<void> {
  const deadline = performance.now() + WAIT_LIMIT_MS;
  let waiting = false;
  while (!(await tryToCreate(file))) {
    if (await isStale(file)) {
      await rm(file, { force: true });
      continue;
    }
    if (performance.now() > deadline) {
      throw new InstallError(
        `another installation holds ${file} and did not end; if none is running, remove that file`,
      );
    }
    if (!waiting) report(`waiting for another installation that holds ${file}`);
    waiting = true;
    await pause(POLL_MS);
    signal?.throwIfAborted();
  }
}

async function tryToCreate(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Whether the process of the lock is gone. A lock without a number is still being written. */
async function isStale(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  return holder > 0 && !isRunning(holder);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
