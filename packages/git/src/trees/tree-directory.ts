import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { OutsideTreeError } from '../errors.ts';

/**
 * The real path of a root's directory in its working tree. Throws `OutsideTreeError` when it is missing or is a file, or when
 * `..` or a symbolic link leads out of the tree.
 */
export async function directoryInTree(tree: string, dir: string): Promise<string> {
  const top = await realpath(tree);
  const path = await realpath(join(top, dir)).catch((cause: unknown) => {
    throw new OutsideTreeError(dir, 'nothing there', { cause });
  });
  const fromTop = relative(top, path);
  if (fromTop === '..' || fromTop.startsWith(`..${sep}`)) throw new OutsideTreeError(dir, 'that it leads out of it');
  if (!(await stat(path)).isDirectory()) throw new OutsideTreeError(dir, 'a file');
  return path;
}
