import { printable } from '../yaml/problem.ts';

/** What was found in place of a file, from the error that reading it gave; completes "expected …, found …". */
export function foundAt(path: string, error: unknown): string {
  const shown = `"${printable(path)}"`;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
  switch (code) {
    case 'ENOENT':
      return `nothing at ${shown}`;
    case 'EISDIR':
      return `a directory at ${shown}`;
    case 'ENOTDIR':
      return `a file where ${shown} needs a directory`;
    case 'EACCES':
    case 'EPERM':
      return `that this user may not read ${shown}`;
    default:
      return `that ${shown} cannot be read (${code})`;
  }
}
