import picomatch from 'picomatch';

/**
 * Globs of the server's configuration: the whole text must match, in any case of letters; `*` does not cross a `/`, and
 * matches a leading dot too.
 */
export function matchesGlob(glob: string, text: string): boolean {
  return picomatch.isMatch(text, glob, { dot: true, nocase: true, noextglob: true, nonegate: true });
}
