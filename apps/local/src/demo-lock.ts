/** One demo at a time has the folder in which it keeps everything. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DemoLock = TakenLock | HeldLock;

export interface TakenLock extends Disposable {
  readonly kind: 'taken';
  /** Tells others where the pages of this demo are. */
  announce(url: string): void;
  /** Removes everything in the folder, the lock too. */
  empty(): void;
}

/** Another demo has it. */
interface HeldLock {
  readonly kind: 'held';
  /** Where its pages are; undefined while it starts. */
  readonly url: string | undefined;
}

/** The exit code of what was asked for beside a demo that runs. */
export const REFUSED = 2;

const LOCK = 'demo.lock';

/** SQLite's result code for "somebody else holds it". */
const SQLITE_BUSY = 5;

/**
 * Takes the folder, made if need be, or says who has it. The lock is SQLite's, never its data: the system frees it however
 * the process ends.
 */
export function takeDemoLock(folder: string): DemoLock {
  const announced = path.join(folder, 'demo.url');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(path.join(folder, LOCK), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return { kind: 'held', url: readIfThere(announced) };
    throw error;
  }
  // What a demo that was killed had announced.
  rmSync(announced, { force: true });
  return {
    kind: 'taken',
    announce: (url) => {
      writeFileSync(announced, url);
    },
    empty: () => {
      // The lock goes last: until then, nobody else begins in here.
      const rest = readdirSync(folder).filter((name) => name !== LOCK);
      for (const name of [...rest, LOCK]) rmSync(path.join(folder, name), { recursive: true, force: true });
    },
    [Symbol.dispose]: () => {
      rmSync(announced, { force: true });
      lock.close();
    },
  };
}

/** The sentence about it. */
export function alreadyRuns({ url }: HeldLock): string {
  return url === undefined ? 'The demo is being started already.' : `The demo already runs: ${url}`;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** By shape: errors of Node's own modules fail `instanceof` where several realms meet. */
function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
