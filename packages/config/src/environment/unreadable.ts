import { printable } from '../yaml/problem.ts';

/** Describes why a file could not be read, from the error; completes "expected …, found …". */
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
