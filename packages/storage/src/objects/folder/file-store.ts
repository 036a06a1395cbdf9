/**
 * Stores objects as the files of one folder: key `a/b` is the file `a/b`, and its version is the SHA-256 of its content.
 *
 * A write goes to its own file under `~/`, is synced, and is renamed into place; then the folder is synced. A write
 * needs both fsyncs to survive a power cut. Only the comparison of versions and the rename happen under the lock, so
 * writers in several processes wait for each other's system calls, never for the disk.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { open, readFile, rm, stat, type FileHandle } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { VersionConflictError } from '../../errors.ts';
import { isMissing, orAbsent, orFail, unavailable } from './file-failure.ts';
import { createFileLock } from './file-lock.ts';
import { listFiles, listStampedFiles } from './file-listing.ts';
import { createFolders, syncFolder } from './folders.ts';
import { checkKey, checkPrefix } from '../object-key.ts';
import { ABSENT, type ObjectStore, type PutOptions } from '../object-store.ts';
import { watchSource } from '../watched-source.ts';
import { sweep } from './staging.ts';

/** The folder of files that are not objects; no key contains `~`. */
const STAGING = '~';

export function createFileStore(folder: string): ObjectStore {
  const staging = join(folder, STAGING);
  const lock = createFileLock(join(staging, 'lock'));
  const folders = createFolders(folder);
  let prepared: Promise<void> | undefined;

  /** Makes the staging folder and removes the files of crashed writers; after a failure the next call tries again. */
  function prepare(key: string): Promise<void> {
    prepared ??= folders
      .make(staging, { synced: false })
      .then(() => sweep(staging))
      .catch((cause: unknown) => {
        prepared = undefined;
        throw unavailable(key, 'write', cause);
      });
    return prepared;
  }

  async function write(key: string, fill: (file: FileHandle) => Promise<void>, options: PutOptions): Promise<void> {
    const { ifVersion, synced = true } = options;
    const staged = join(staging, randomUUID());
    const path = join(folder, key);
    await prepare(key);
    try {
      await stage(staged, fill, synced);
      await folders.make(dirname(path), { synced });
      await lock.hold(() => {
        if (ifVersion !== undefined && !isAt(path, ifVersion)) throw new VersionConflictError(key, ifVersion);
        renameSync(staged, path);
      });
      if (synced) await syncFolder(dirname(path));
    } catch (error) {
      await rm(staged, { force: true });
      throw error;
    }
  }

  return {
    async get(key) {
      checkKey(key);
      const body = await orFail(key, 'read', () => orAbsent(() => readFile(join(folder, key))));
      return body && { body, version: versionOf(body) };
    },

    async put(key, body, options = {}) {
      checkKey(key);
      await orFail(key, 'write', () => write(key, (file) => file.writeFile(body), options));
      return versionOf(body);
    },

    async *list(prefix, options = {}) {
      checkPrefix(prefix);
      try {
        yield* listFiles(folder, prefix, options);
      } catch (cause) {
        throw unavailable(prefix, 'list', cause);
      }
    },

    async *listStamped(prefix, options = {}) {
      checkPrefix(prefix);
      try {
        yield* listStampedFiles(folder, prefix, options);
      } catch (cause) {
        throw unavailable(prefix, 'list', cause);
      }
    },

    async delete(key) {
      checkKey(key);
      // Not synced: after a power cut the object may be back, which does no harm.
      await orFail(key, 'delete', async () => {
        await prepare(key);
        await lock.hold(() => {
          unlinkIfThere(join(folder, key));
        });
      });
    },

    async getStream(key) {
      checkKey(key);
      const path = join(folder, key);
      const found = await orFail(key, 'read', () => orAbsent(() => stat(path)));
      return found?.isFile() === true ? readPieces(key, path) : undefined;
    },

    async putStream(key, body) {
      checkKey(key);
      const source = watchSource(body);
      try {
        await orFail(key, 'write', () => write(key, (file) => file.writeFile(source.pieces()), {}));
      } catch (error) {
        throw source.failure() ?? error;
      }
    },

    close: () => {
      lock.close();
    },
  };
}

async function stage(path: string, fill: (file: FileHandle) => Promise<void>, synced: boolean): Promise<void> {
  // Created exclusively, and readable by the group at most: logs are only for people who may read them in the console.
  const file = await open(path, 'wx', 0o640);
  try {
    await fill(file);
    if (synced) await file.sync();
  } finally {
    await file.close();
  }
}

async function* readPieces(key: string, path: string): AsyncGenerator<Uint8Array> {
  // Opened by the first read, so that an unread stream holds no file open.
  const file = await orFail(key, 'read', () => open(path));
  try {
    for await (const piece of file.createReadStream({ autoClose: false })) yield piece as Uint8Array; // No encoding is set.
  } catch (cause) {
    throw unavailable(key, 'read', cause);
  } finally {
    await file.close();
  }
}

function isAt(path: string, ifVersion: string): boolean {
  return ifVersion === ABSENT ? !existsSync(path) : versionAt(path) === ifVersion;
}

function versionAt(path: string): string | undefined {
  try {
    return versionOf(readFileSync(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function versionOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
