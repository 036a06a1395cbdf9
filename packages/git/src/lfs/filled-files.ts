/** Files of a working tree that were pointers of Git LFS, and whether they still have the content that was put in their places. */
import { createHash } from 'node:crypto';
import { constants, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LfsObject } from '../read/absent-contents.ts';

export interface FilledFile {
  /** Relative to the repository's top. */
  readonly path: string;
  readonly object: LfsObject;
  /** Its permissions. */
  readonly mode: number;
}

/**
 * The paths of the files that nobody changed since. Code of the repository may have run in the tree: a link or a pipe in the place
 * of a file counts as a change, as does everything that cannot be read.
 */
export async function unchangedFiles(tree: string, filled: readonly FilledFile[]): Promise<ReadonlySet<string>> {
  const unchanged = new Set<string>();
  // One after the other: together they may be gigabytes.
  for (const file of filled) if (await isUnchanged(tree, file).catch(() => false)) unchanged.add(file.path);
  return unchanged;
}

/** Opening a pipe would wait for a writer without `O_NONBLOCK`. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function isUnchanged(tree: string, { path, object, mode }: FilledFile): Promise<boolean> {
  const file = join(tree, path);
  if ((await realpath(dirname(file))) !== join(await realpath(tree), dirname(path))) return false;
  await using handle = await open(file, READ);
  const found = await handle.stat();
  if (!found.isFile() || found.size !== object.bytes || (found.mode & 0o777) !== mode) return false;
  const hash = createHash('sha256');
  // One byte more shows that it grows.
  for await (const piece of handle.createReadStream({ autoClose: false, end: object.bytes })) {
    hash.update(piece as Buffer); // No encoding is set.
  }
  return hash.digest('hex') === object.id;
}
