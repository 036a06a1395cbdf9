/** Changed files by every folder above them, so that thousands of roots find theirs without looking at thousands of files. */
import { directoryOf } from '../paths.ts';

export interface ChangedIndex {
  /** The changed files at a path and below it. */
  below(path: string): readonly string[];
}

export function indexChanged(changed: readonly string[]): ChangedIndex {
  const byPath = new Map<string, string[]>();
  for (const file of new Set(changed)) {
    for (let at = file; ; at = directoryOf(at)) {
      const known = byPath.get(at);
      if (known) known.push(file);
      else byPath.set(at, [file]);
      if (at === '.') break;
    }
  }
  return { below: (path) => byPath.get(path) ?? NONE };
}

const NONE: readonly string[] = [];
