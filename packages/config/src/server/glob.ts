import type { Root } from '@nereid/domain/root';
import picomatch from 'picomatch';

/**
 * Globs of the server's configuration: the whole text must match, ignoring case; `*` does not cross a `/`, and also matches a
 * leading dot and the end of a line.
 */
export function matchesGlob(glob: string, text: string): boolean {
  return picomatch.isMatch(text, glob, { dot: true, flags: 'is', noextglob: true, nonegate: true });
}

/** The properties of a root by which rules are looked up. */
export interface RootPlace {
  readonly name: string;
  /** The directories by which a root is known; absent when none is known. */
  readonly dirs?: readonly string[];
}

/** How rules know a root. */
export function placeOf(root: Pick<Root, 'name' | 'dir' | 'realDir'>): Required<RootPlace> {
  return { name: root.name, dirs: directoriesOf(root) };
}

/** The directories by which rules know a root, its real one first. */
export function directoriesOf({ dir, realDir = dir }: Pick<Root, 'dir' | 'realDir'>): readonly string[] {
  return realDir === dir ? [dir] : [realDir, dir];
}

/** A rule that begins with this matches names. */
export const NAME_RULE = 'name:';

/**
 * Whether a rule is about a root: by its name, or because it matches one of its directories or a directory above. If the
 * directory of the root is not known, it may be.
 */
export function matchesRoot(match: string, { name, dirs }: RootPlace): boolean {
  if (match.startsWith(NAME_RULE)) return matchesGlob(match.slice(NAME_RULE.length), name);
  return dirs === undefined || dirs.some((dir) => matchesDirectory(match, dir));
}

/** A rule for `.` is about the top alone. */
function matchesDirectory(match: string, dir: string): boolean {
  if (dir === '.') return match === '.' || /^\*\*(\/\*\*?)*$/.test(match);
  return upwards(dir).some((above) => matchesGlob(match, above));
}

/** `a/b` and `a`. */
function upwards(dir: string): readonly string[] {
  const names = dir.split('/');
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}
