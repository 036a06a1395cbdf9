/**
 * Names of roots: a letter or digit, then letters, digits, `.`, `_`, `-`; at most 100 characters, so that every id built
 * from one fits.
 */
import { createHash } from 'node:crypto';
import { ROOT_NAME_LIMIT } from '@nereid/domain/root';

/** The name of a root without a given name: its directory, with `root` for `.` and `-` for other characters. */
export function rootNameOf(dir: string): string {
  const name = dir === '.' ? 'root' : dir.replaceAll(/[^A-Za-z0-9._-]/g, '-').replace(/^[._-]+/, '');
  if (name === '') return withHash('root', dir);
  return name.length > ROOT_NAME_LIMIT ? withHash(name, dir) : name;
}

/** Names for discovered directories. A directory whose name is taken, or would be shared, gets a short hash in its name. */
export function nameDiscoveredRoots(
  dirs: readonly string[],
  taken: readonly string[] = [],
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of [...taken, ...dirs.map(rootNameOf)]) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  return new Map(
    dirs.map((dir) => {
      const name = rootNameOf(dir);
      return [dir, counts.get(keyOf(name)) === 1 ? name : withHash(name, dir)];
    }),
  );
}

export function isRootName(name: string): boolean {
  return name.length <= ROOT_NAME_LIMIT && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
}

/** Names that differ only in case are the same to people, and to some file systems. */
export function keyOf(name: string): string {
  return name.toLowerCase();
}

/** 8 hex digits: among a thousand directories that share a name, a collision has odds of about one in ten thousand. */
const HASH_LENGTH = 8;

export function withHash(name: string, dir: string): string {
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, ROOT_NAME_LIMIT - HASH_LENGTH - 1)}-${hash}`;
}
