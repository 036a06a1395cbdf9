/** Puts contents of Git LFS in the places of their pointers in a working tree. */
import { chmod, constants, copyFile, lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { retryBriefly } from '../command/retry-briefly.ts';
import { ContentAbsentError, TreeUnusableError } from '../errors.ts';
import { isPassing } from '../command/fetch-failure.ts';
import type { LfsContent, LfsObject } from '../read/absent-contents.ts';
import type { FilledFile } from './filled-files.ts';
import { BATCH_LIMIT, downloadObject, locateObjects } from './lfs-objects.ts';
import type { LfsRepository } from './lfs-requests.ts';

export interface Filling extends Omit<LfsRepository, 'authorization'> {
  readonly authorization: () => Promise<string | undefined>;
  readonly tree: string;
  readonly contents: readonly LfsContent[];
  readonly retryMs: number;
}

/** Throws a `ContentAbsentError` when a pointer cannot be read, or what the server has is not what it says. */
export async function fillPointers(filling: Filling): Promise<readonly FilledFile[]> {
  const filled: FilledFile[] = [];
  const places = placesByObject(filling.contents);
  const folder = await mkdtemp(join(dirname(filling.tree), 'lfs-'));
  try {
    const objects = [...places.keys()].map((key) => JSON.parse(key) as LfsObject); // Made below.
    for (let at = 0; at < objects.length; at += BATCH_LIMIT) {
      filled.push(...(await fillBatch(filling, objects.slice(at, at + BATCH_LIMIT), { folder, places })));
    }
    return filled;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Where {
  readonly folder: string;
  readonly places: ReadonlyMap<string, readonly string[]>;
}

async function fillBatch(
  filling: Filling,
  objects: readonly LfsObject[],
  { folder, places }: Where,
): Promise<readonly FilledFile[]> {
  const filled: FilledFile[] = [];
  const { tree, authorization, retryMs, signal } = filling;
  const patiently = <T>(attempt: () => Promise<T>) => retryBriefly(attempt, { forMs: retryMs, isPassing, signal });
  const repository = { ...filling, authorization: await authorization() };
  const found = await patiently(() => locateObjects(repository, objects));
  for (const object of objects) {
    const place = found.get(object.id);
    if (place?.kind !== 'there') continue;
    const file = join(folder, object.id);
    await patiently(async () => {
      await rm(file, { force: true });
      await downloadObject(repository, object, { ...place, file });
    });
    for (const path of places.get(JSON.stringify(object)) ?? [])
      filled.push({ path, object, mode: await replacePointer(tree, path, file) });
    await rm(file);
  }
  return filled;
}

/**
 * Returns the permissions, which stay. The tree is exactly the revision, and none of its code runs: a way through a link is one that
 * git did not make.
 */
async function replacePointer(tree: string, path: string, from: string): Promise<number> {
  const file = join(tree, path);
  const way = join(await realpath(tree), dirname(path));
  const found = await lstat(file);
  if ((await realpath(dirname(file))) !== way || !found.isFile()) throw new TreeUnusableError(file, 'a link');
  await rm(file);
  await copyFile(from, file, constants.COPYFILE_EXCL);
  const mode = found.mode & 0o777;
  await chmod(file, mode);
  return mode;
}

/** By object, as JSON. */
function placesByObject(contents: readonly LfsContent[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { path, object } of contents) {
    if (object === undefined) throw unreadable(path);
    const key = JSON.stringify(object);
    places.set(key, [...(places.get(key) ?? []), path]);
  }
  return places;
}

function unreadable(path: string): ContentAbsentError {
  return new ContentAbsentError(
    `a pointer of Git LFS that cannot be read: ${JSON.stringify(path.slice(0, 100))}`,
    'write it with Git LFS 3, without extensions',
  );
}
