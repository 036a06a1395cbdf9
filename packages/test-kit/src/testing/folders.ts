import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { removeTree } from '@nereid/subprocess';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';

/** Each test finds this folder new and empty. Its path, which is the same for all of them. */
export function folderOfEachTest(): string {
  const folder = newPath();
  beforeEach(() => mkdir(folder, PRIVATE));
  afterAllHooks(() => {
    afterEach(() => removeTree(folder));
  });
  return folder;
}

/** The tests of the file share this folder. Its path. */
export function folderOfThisFile(): string {
  const folder = newPath();
  beforeAll(() => mkdir(folder, PRIVATE));
  afterAllHooks(() => {
    afterAll(() => removeTree(folder));
  });
  return folder;
}

const PRIVATE = { mode: 0o700 };

/** Says which test file made it. Short, because the path of a socket in it has at most 107 bytes. */
function newPath(): string {
  const file = basename(expect.getState().testPath ?? '').replace(/\..*/, '');
  return join(realpathSync(tmpdir()), `nereid-${file}-${randomBytes(3).toString('hex')}`);
}

/** Jest runs hooks as they were defined. A folder is removed after those of the file, which stop what works in it. */
function afterAllHooks(define: () => void): void {
  queueMicrotask(define);
}
