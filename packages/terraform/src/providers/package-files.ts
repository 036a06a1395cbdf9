/** A provider's package on the disk: a folder of plain files, some hundred megabytes. */
import { createHash } from 'node:crypto';
import { chmod, constants, copyFile, link, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';
import { digestOf } from '../plan/digest.ts';
import { PackageNotPlainError } from '../errors.ts';

/**
 * The hash that lock files call `h1:`: SHA-256 over the names and SHA-256 sums of all files, as 64 hex digits. It does not
 * cover modes.
 */
export async function hashPackage(dir: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await entriesOf(dir)).files) hash.update(`${await digestOf(path.join(dir, file))}  ${file}\n`);
  return hash.digest('hex');
}

/** Links the files under other names. Files on another disk, or with too many links, are copied. */
export async function linkPackage(from: string, to: string): Promise<void> {
  await spread(from, to, async (file, target) => {
    try {
      await link(file, target);
    } catch (error) {
      if (!['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP'].some((code) => hasErrorCode(error, code))) throw error;
      await copy(file, target);
    }
  });
}

/** Makes new files: a process that can still write the old ones cannot change these. */
export async function copyPackage(from: string, to: string): Promise<void> {
  await spread(from, to, copy);
}

/** Makes a package read-only and executable for all. Its own modes are not trusted, because hashes do not cover them. */
export async function sealPackage(dir: string): Promise<void> {
  const { files, folders } = await entriesOf(dir);
  for (const entry of [...files, ...folders]) await chmod(path.join(dir, entry), 0o555);
}

/** Removes a package, whole or not. Its old place is free at once. */
export async function removePackage(dir: string, gone: string): Promise<void> {
  try {
    await rename(dir, gone);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  await removeFolder(gone);
}

/** Removes a folder or a file. Nobody can remove the files of a sealed folder, so it is unsealed first. */
export async function removeFolder(dir: string): Promise<void> {
  if ((await lstat(dir)).isDirectory()) {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory());
    for (const folder of [dir, ...folders.map(({ parentPath, name }) => path.join(parentPath, name))]) {
      await chmod(folder, 0o700);
    }
  }
  await rm(dir, { recursive: true, force: true });
}

/** The bytes that it takes on the disk. */
export async function packageSize(dir: string): Promise<number> {
  const { files, folders } = await entriesOf(dir);
  const sizes = [...files, ...folders].map(async (entry) => (await stat(path.join(dir, entry))).blocks * BLOCK_BYTES);
  return (await Promise.all(sizes)).reduce((total, bytes) => total + bytes, 0);
}

/** The unit of `blocks` in POSIX, whatever the disk's own blocks are. */
const BLOCK_BYTES = 512;

/** On a disk with copy-on-write, the two files share their blocks. */
async function copy(file: string, target: string): Promise<void> {
  await copyFile(file, target, constants.COPYFILE_FICLONE);
}

async function spread(from: string, to: string, put: (file: string, target: string) => Promise<void>): Promise<void> {
  const { files, folders } = await entriesOf(from);
  for (const folder of folders) await mkdir(path.join(to, folder), { recursive: true });
  for (const file of files) await put(path.join(from, file), path.join(to, file));
}

interface Entries {
  /** Relative, sorted by their bytes, as the hash needs them. */
  readonly files: readonly string[];
  /** Relative; the first is the package's own folder. */
  readonly folders: readonly string[];
}

/** Throws `PackageNotPlainError` for a link, among others: its target could change after the hash was taken. */
async function entriesOf(dir: string): Promise<Entries> {
  const [files, folders]: [string[], string[]] = [[], ['']];
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const name = path.relative(dir, path.join(entry.parentPath, entry.name));
    if (entry.isDirectory()) folders.push(name);
    else if (entry.isFile() && !name.includes('\n')) files.push(name);
    else throw new PackageNotPlainError(dir, name);
  }
  return { files: files.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))), folders };
}
