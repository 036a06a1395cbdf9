/**
 * One `nereid` at a time changes the login file or renews a session, whose refresh token counts once. The lock is SQLite's, and its
 * file stays empty: the system frees the lock when a process dies.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause } from '../client/send.ts';
import { errorFields } from '../error-fields.ts';
import { EXIT, ExitError } from '../exit-code.ts';

/** Longer than a renewal takes, which is what others do meanwhile. */
const PATIENCE_MS = 60_000;

/** Nobody sees the difference. */
const PAUSE_MS = 20;

/** SQLite's result code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/** `file` is the login file. Throws an `ExitError` when its folder cannot be written: then nothing was done. */
export async function withLoginLock<T>(file: string, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  const database = await open(file);
  try {
    const deadline = Date.now() + PATIENCE_MS;
    while (!isTaken(database, file)) {
      if (Date.now() > deadline)
        throw new ExitError(EXIT.notNow, `another nereid has held ${file} for a minute: try again, or stop it`);
      await pause(PAUSE_MS, signal);
    }
    return await work();
  } finally {
    database.close();
  }
}

type Database = Awaited<ReturnType<typeof open>>;

async function open(file: string) {
  // Few calls need it, and older Nodes warn that it is experimental.
  const { DatabaseSync } = await import('node:sqlite');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return new DatabaseSync(`${file}.lock`, { timeout: 0 });
  } catch (cause) {
    throw notWritable(file, cause);
  }
}

function isTaken(database: Database, file: string): boolean {
  try {
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (cause) {
    const { errcode } = Object(cause) as { readonly errcode?: unknown }; // Of an error of SQLite.
    if (errcode === SQLITE_BUSY) return false;
    throw notWritable(file, cause);
  }
}

function notWritable(file: string, cause: unknown): ExitError {
  return new ExitError(EXIT.wrongUsage, `expected to write ${file}, found: ${errorFields(cause).message}`, { cause });
}
