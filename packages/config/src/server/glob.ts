import picomatch from 'picomatch';

/**
 * Globs of the server's configuration: the whole text must match, ignoring case; `*` does not cross a `/`, and also matches a
 * leading dot.
 */
export function matchesGlob(glob: string, text: string): boolean {
  return picomatch.isMatch(text, glob, { dot: true, nocase: true, noextglob: true, nonegate: true });
}
