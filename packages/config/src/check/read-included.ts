/** The files beside a repository's file that it includes, as a check-out has them. */
import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { createIsIncluded, includedProblem, includesOf, type IncludedFile } from '../repository/include.ts';
import { foundAt } from '../environment/unreadable.ts';
import type { Problem } from '../yaml/problem.ts';

export interface Included {
  readonly files: readonly IncludedFile[];
  /** Paths of those that cannot be read. */
  readonly unread: readonly string[];
  readonly problems: readonly Problem[];
}

/** `folder` is the folder of the file with this text. */
export function readIncluded(folder: string, text: string): Included {
  const patterns = includesOf(text);
  const isIncluded = createIsIncluded(patterns);
  const found = new Map(
    [...new Set(patterns.map(placeOf))]
      .flatMap((place) => entriesIn(join(folder, place)))
      .filter((entry) => !entry.isDirectory())
      .map((entry) => [relative(folder, join(entry.parentPath, entry.name)), entry] as const)
      .filter(([path]) => isIncluded(path)),
  );
  const files: IncludedFile[] = [];
  const unread: string[] = [];
  const problems: Problem[] = [];
  for (const [path, entry] of [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const read = entry.isFile() ? readText(join(folder, path)) : { found: 'something else, such as a symbolic link' };
    if ('text' in read) files.push({ path, text: read.text });
    else {
      const message = `expected a file, found ${read.found}; put the configuration itself there`;
      unread.push(path);
      problems.push({ path: '', file: path, message });
    }
  }
  const tooMuch = includedProblem(
    found.size,
    files.map(({ text }) => text),
  );
  return { files, unread, problems: tooMuch === undefined ? problems : [{ path: '', message: tooMuch }, ...problems] };
}

/** The folder above the first part with a wildcard. */
function placeOf(pattern: string): string {
  const parts = pattern.split('/').slice(0, -1);
  const wild = parts.findIndex((part) => part.includes('*'));
  return parts.slice(0, wild === -1 ? parts.length : wild).join('/');
}

/** None where there is no such folder: then the pattern matches nothing, which is reported. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

function readText(path: string): { readonly text: string } | { readonly found: string } {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    return { found: foundAt(path, error) };
  }
}
