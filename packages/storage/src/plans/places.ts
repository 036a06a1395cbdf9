import { lstat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { errorCode } from '../error-code.ts';

/** Whether a relative path stays inside its folder, judged by its text alone. */
export function isInside(path: string): boolean {
  const parts = path.split('/');
  return (
    path !== '' &&
    !path.includes('\0') &&
    !isAbsolute(path) &&
    normalize(path) === path &&
    !parts.includes('..') &&
    path !== '.'
  );
}

/** Where `path` is in `folder`; undefined when it leads outside or through a link. */
export async function placeInside(folder: string, path: string): Promise<string | undefined> {
  if (!isInside(path)) return undefined;
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1)
    if (await isLink(join(folder, ...parts.slice(0, depth)))) return undefined;
  return join(folder, path);
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
