import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for "somebody else holds it". */
const SQLITE_BUSY = 5;
/** The work under a lock is a few system calls: after a wait this long, the holder must be hanging. */
const PATIENCE_MS = 5_000;
/** A lock is held for about 0.1 ms; asking again after 1 to 4 ms neither spins nor queues up. */
const PAUSE_MS = { least: 1, spread: 3 };

/** Mutual exclusion between the processes of one machine. */
export interface FileLock {
  /**
   * Does the work while nobody else holds the lock. The work is synchronous: nothing else in this process runs in
   * between, and the lock is held only for the work's system calls, however long the thread pool's queue is.
   */
  hold<T>(work: () => T): Promise<T>;
  close(): void;
}

/**
 * A lock on the file at `path`, which is made when the lock is first held. Only SQLite's lock is used, never its data:
 * the system frees the lock when the process dies, which pid files and exclusively created files cannot promise, and
 * Node has no `flock`.
 */
export function createFileLock(path: string): FileLock {
  let database: DatabaseSync | undefined;

  return {
    async hold(work) {
      database ??= new DatabaseSync(path, { timeout: 0 });
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const refusal = refusalOf(database);
        if (refusal === undefined) break;
        if (Date.now() > deadline) throw new LockHeldError(path, { cause: refusal });
        await sleep(PAUSE_MS.least + Math.random() * PAUSE_MS.spread);
      }
      // Nothing is awaited here: this process has one connection, on which somebody else would begin as well.
      try {
        return work();
      } finally {
        database.exec('ROLLBACK');
      }
    },
    close() {
      database?.close();
      database = undefined;
    },
  };
}

/** Taken until it is closed, or its process dies. */
export interface ProcessLock {
  close(): void;
}

/** A database that nobody refers to is closed by the garbage collector, which would release its lock. */
const held = new Set<DatabaseSync>();

/** Takes the lock on the file at `path`, whose folder exists. Undefined when it is taken. */
export function acquireFileLock(path: string): ProcessLock | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    held.add(database);
    return {
      close: () => {
        held.delete(database);
        database.close();
      },
    };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** The holder did not release the lock in time. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';
  readonly code = 'LOCK_HELD';

  constructor(path: string, options: ErrorOptions) {
    super(
      `another process has held the lock ${path} for more than ${PATIENCE_MS} ms: look for one that hangs`,
      options,
    );
  }
}

/** Undefined when the lock is taken; otherwise what SQLite says because somebody else holds it. */
function refusalOf(database: DatabaseSync): unknown {
  try {
    database.exec('BEGIN IMMEDIATE');
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return error;
  }
}

/** The check is by shape, as for all of Node's errors: see error-code.ts. */
function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
