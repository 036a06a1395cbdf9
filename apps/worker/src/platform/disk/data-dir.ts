/** The data folder, which only one worker may use, and the host id, which lives as long as the folder. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, type LocatedProblem } from '@nereid/config';
import { acquireFileLock, type ProcessLock } from '@nereid/storage';
import { whyNotWritable } from './writable.ts';

/** The file whose lock a worker holds while it lives. */
const LOCK = 'worker.lock';

export interface DataDir {
  readonly hostId: string;
  /** Releases the folder for another worker. */
  close(): void;
}

/**
 * Takes the folder for this process. Throws a ConfigurationError when another worker uses it, or when it cannot be
 * written.
 */
export async function openDataDir(dir: string): Promise<DataDir> {
  const lock = await acquireLock(dir);
  try {
    return { hostId: await readOrMakeHostId(join(dir, 'host-id')), close: () => lock.close() };
  } catch (cause) {
    lock.close();
    throw new ConfigurationError([unusable(dir, cause)]);
  }
}

export type DataDirState =
  { readonly kind: 'free' } | { readonly kind: 'taken' | 'unusable'; readonly problem: LocatedProblem };

/** Whether a worker could take the folder now. Makes nothing that stays. */
export async function inspectDataDir(dir: string): Promise<DataDirState> {
  const problem = await whyNotWritable('DATA_DIR', dir);
  if (problem) return { kind: 'unusable', problem };
  const path = join(dir, LOCK);
  if ((await readText(path)) === undefined) return { kind: 'free' };
  try {
    const lock = acquireFileLock(path);
    lock?.close();
    return lock ? { kind: 'free' } : { kind: 'taken', problem: taken(dir) };
  } catch (cause) {
    return { kind: 'unusable', problem: unusable(dir, cause) };
  }
}

async function acquireLock(dir: string): Promise<ProcessLock> {
  // A lock on a disk that is full or can only be read would fail in words of its own.
  const problem = await whyNotWritable('DATA_DIR', dir);
  if (problem) throw new ConfigurationError([problem]);
  try {
    await mkdir(dir, { recursive: true });
    const lock = acquireFileLock(join(dir, LOCK));
    if (lock !== undefined) return lock;
  } catch (cause) {
    throw new ConfigurationError([unusable(dir, cause)]);
  }
  throw new ConfigurationError([taken(dir)]);
}

/** The lock keeps other workers from doing the same at the same time. */
async function readOrMakeHostId(path: string): Promise<string> {
  const known = await readText(path);
  if (known !== undefined && /^[0-9a-f-]{36}$/.test(known)) return known;
  const made = randomUUID();
  await writeFile(`${path}.new`, made);
  await rename(`${path}.new`, path);
  return made;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (fieldOf(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
}

function taken(dir: string): LocatedProblem {
  const message = `expected a folder for this worker alone, found that another worker uses ${dir}; stop it, or give each worker its own folder`;
  return { path: 'DATA_DIR', message };
}

function unusable(dir: string, cause: unknown): LocatedProblem {
  const message = `expected a folder that this worker can write, found ${dir} (${String(cause)}); create it, or choose another`;
  return { path: 'DATA_DIR', message };
}

function fieldOf(error: unknown, field: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}
