/** Enough to see what it is about. */
const SHOWN = 3;
const TEXT_SHOWN = 200;

/** `"a", "b", "c" and 4 more`. */
export function listDirectories(dirs: readonly string[]): string {
  const names = dirs.slice(0, SHOWN).map((dir) => JSON.stringify(dir.slice(0, TEXT_SHOWN)));
  const more = dirs.length > SHOWN ? ` and ${dirs.length - SHOWN} more` : '';
  return `${names.join(', ')}${more}`;
}
