/** The mirrors on disk: `<data dir>/mirrors/<owner>/<name>.git`, and remains of mirrors that were being made or removed. */
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { folderSize } from '../folder-size.ts';

/** A mirror is made beside its place, then moved there. */
export const NEW_SUFFIX = '.new';

/** A mirror is moved away, then removed: half a mirror would be taken for a whole one. */
const GONE_SUFFIX = '.gone';

const MIRROR = new RegExp(`^(?<name>.+)\\.git(?:\\${NEW_SUFFIX}|\\${GONE_SUFFIX})?$`);

/** `owner/name` of each. */
export async function storedMirrors(mirrorsDir: string): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const owner of await namesIn(mirrorsDir)) {
    for (const folder of await namesIn(join(mirrorsDir, owner))) {
      const name = MIRROR.exec(folder)?.groups?.['name'];
      if (name !== undefined) paths.add(`${owner}/${name}`);
    }
  }
  return [...paths];
}

export async function mirrorSize(dir: string): Promise<number> {
  const parts = ['', NEW_SUFFIX, GONE_SUFFIX].map((suffix) => folderSize(`${dir}${suffix}`));
  return (await Promise.all(parts)).reduce((total, bytes) => total + bytes, 0);
}

export async function removeMirrorFolder(dir: string): Promise<void> {
  await rm(`${dir}${GONE_SUFFIX}`, { recursive: true, force: true });
  await rename(dir, `${dir}${GONE_SUFFIX}`).catch(() => undefined);
  await Promise.all(
    ['', NEW_SUFFIX, GONE_SUFFIX].map((suffix) => rm(`${dir}${suffix}`, { recursive: true, force: true })),
  );
}

/** Git does not write this file again, so its time can store the last use of the mirror, even by an earlier process. */
const usedFile = (dir: string) => join(dir, 'HEAD');

/** Milliseconds since 1970; 0 when unknown. */
export async function storedUse(dir: string): Promise<number> {
  return stat(usedFile(dir)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Does nothing for a mirror that is gone. */
export async function storeUse(dir: string, usedAt: number): Promise<void> {
  await utimes(usedFile(dir), new Date(usedAt), new Date(usedAt)).catch(() => undefined);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
