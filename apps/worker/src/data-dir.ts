/** The folder that is one worker's alone, and the host id that lives as long as it does. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '@nereid/config';

export interface DataDir {
  readonly hostId: string;
  /** Lets another worker have the folder. */
  close(): void;
}

/**
 * Takes the folder for this process. Throws a ConfigurationError when another worker has it, or when it cannot be
 * written. The lock is SQLite's, never its data: the system frees it when the process dies, which a pid file cannot
 * promise.
 */
export async function openDataDir(dir: string): Promise<DataDir> {
  const lock = await takeLock(dir);
  try {
    return { hostId: await readOrMakeHostId(join(dir, 'host-id')), close: () => lock.close() };
  } catch (cause) {
    lock.close();
    throw unusable(dir, cause);
  }
}

async function takeLock(dir: string): Promise<DatabaseSync> {
  try {
    await mkdir(dir, { recursive: true });
    const lock = new DatabaseSync(join(dir, 'worker.lock'), { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    throw isBusy(cause) ? taken(dir) : unusable(dir, cause);
  }
}

/** Nobody else is here while the lock is held. */
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

function taken(dir: string): ConfigurationError {
  const message = `expected a folder of this worker's own, found that another worker uses ${dir}; stop it, or give each its folder`;
  return new ConfigurationError([{ path: 'DATA_DIR', message }]);
}

function unusable(dir: string, cause: unknown): ConfigurationError {
  const message = `expected a folder that this worker can write, found ${dir} (${String(cause)}); create it, or choose another`;
  return new ConfigurationError([{ path: 'DATA_DIR', message }]);
}

/** SQLite's result code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/** By shape: errors of Node's own modules fail `instanceof` where several realms meet. */
function isBusy(error: unknown): boolean {
  return fieldOf(error, 'errcode') === SQLITE_BUSY;
}

function fieldOf(error: unknown, field: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
}
