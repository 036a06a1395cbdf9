/** Lets only one demo at a time use the folder in which it keeps everything. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { acquireFileLock } from '@nereid/storage';

export type DemoLock = TakenLock | HeldLock;

export interface TakenLock extends Disposable {
  readonly kind: 'taken';
  /** Tells other processes where the pages of this demo are. */
  announce(url: string): void;
  /** Removes everything in the folder, including the lock. */
  empty(): void;
}

/** Another demo holds the lock. */
interface HeldLock {
  readonly kind: 'held';
  /** The address of its pages; undefined while it starts. */
  readonly url: string | undefined;
}

/** The exit code of a command that is refused because a demo is running. */
export const REFUSED = 2;

const LOCK = 'demo.lock';

/** Takes the folder, which is made if need be, or says who has it. */
export function acquireDemoLock(folder: string): DemoLock {
  const announced = path.join(folder, 'demo.url');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = acquireFileLock(path.join(folder, LOCK));
  if (lock === undefined) return { kind: 'held', url: readIfThere(announced) };
  // A demo that was killed may have left its address.
  rmSync(announced, { force: true });
  return {
    kind: 'taken',
    announce: (url) => {
      writeFileSync(announced, url);
    },
    empty: () => {
      // The lock goes last: until then, no other demo can start in this folder.
      const rest = readdirSync(folder).filter((name) => name !== LOCK);
      for (const name of [...rest, LOCK]) rmSync(path.join(folder, name), { recursive: true, force: true });
    },
    [Symbol.dispose]: () => {
      rmSync(announced, { force: true });
      lock.close();
    },
  };
}

/** The sentence that tells a person about the other demo. */
export function alreadyRuns({ url }: HeldLock): string {
  return url === undefined ? 'The demo is already starting.' : `The demo is already running: ${url}`;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
