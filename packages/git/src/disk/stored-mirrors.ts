/** The mirrors on disk: `<data dir>/mirrors/<owner>/<name>.git`, and what was left of one that was being made or removed. */
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { folderSize } from './folder-size.ts';

/** Made beside its place, then moved there. */
export const NEW_SUFFIX = '.new';

/** Moved away, then removed: half a mirror would be taken for one. */
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

/** Git does not write this file again, so its time is ours: when the mirror was last used, also by a former process. */
const usedFile = (dir: string) => join(dir, 'HEAD');

/** Milliseconds since 1970; 0 where nobody knows. */
export async function storedUse(dir: string): Promise<number> {
  return stat(usedFile(dir)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** A mirror that is not there any more needs no time. */
export async function storeUse(dir: string, usedAt: number): Promise<void> {
  await utimes(usedFile(dir), new Date(usedAt), new Date(usedAt)).catch(() => undefined);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
