/** Paths of a repository: relative to its top, `/` between segments, `.` for the top itself. */
import { posix } from 'node:path';

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '.' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined when it leads out of the repository. */
export function joinPath(dir: string, relative: string): string | undefined {
  const joined = posix.join(dir, relative);
  const path = joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path;
}

/** The path as seen from the directory; undefined when it is not below it. */
export function pathBelow(dir: string, path: string): string | undefined {
  if (dir === '.') return path;
  return path.length > dir.length && path.startsWith(dir) && path[dir.length] === '/'
    ? path.slice(dir.length + 1)
    : undefined;
}

/** Returns a function that finds those of the paths that are below a directory. */
export function createBelow(paths: Iterable<string>): (dir: string) => readonly string[] {
  const sorted = [...paths].filter((path) => path !== '.').toSorted();
  // In the order of texts, `0` comes behind `/`.
  return (dir) =>
    dir === '.' ? sorted : sorted.slice(firstAtLeast(sorted, `${dir}/`), firstAtLeast(sorted, `${dir}0`));
}

function firstAtLeast(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
