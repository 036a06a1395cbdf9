import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '@nereid/subprocess';

export type LocatedRoot =
  { readonly kind: 'found'; readonly rootDir: string } | { readonly kind: 'not-found'; readonly why: string };

/** Where a root is in its working tree. A revision may have removed it, or made it a link to somewhere else. */
export async function locateRoot(treeDir: string, dir: string): Promise<LocatedRoot> {
  const notFound = (found: string): LocatedRoot => ({
    kind: 'not-found',
    why: `expected the directory ${dir} in this revision, found ${found}`,
  });
  try {
    const [tree, rootDir] = await Promise.all([realpath(treeDir), realpath(path.join(treeDir, dir))]);
    if (rootDir !== tree && !rootDir.startsWith(tree + path.sep)) return notFound('a link that leads out of it');
    return (await stat(rootDir)).isDirectory() ? { kind: 'found', rootDir } : notFound('a file');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return notFound('nothing');
    throw error;
  }
}
