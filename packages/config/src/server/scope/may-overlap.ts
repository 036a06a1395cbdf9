import { matchesGlob } from '../glob.ts';

/** The characters by which a glob matches more than itself. */
const SPECIAL = /[*?{},[\]]/;

/**
 * Whether a repository may match both of two globs of `owner/name`. False only where certainly none does: two globs with wildcards are
 * compared by their literal beginnings and ends alone.
 */
export function mayOverlap(one: string, other: string): boolean {
  if (!SPECIAL.test(one)) return matchesGlob(other, one);
  if (!SPECIAL.test(other)) return matchesGlob(one, other);
  const [a, b] = [literalsOf(one), literalsOf(other)];
  return (
    (a.first.startsWith(b.first) || b.first.startsWith(a.first)) && (a.last.endsWith(b.last) || b.last.endsWith(a.last))
  );
}

/** What stands before the first wildcard, and what stands after the last one. */
function literalsOf(glob: string): { readonly first: string; readonly last: string } {
  const [first = '', ...rest] = glob.toLowerCase().split(SPECIAL);
  return { first, last: rest.at(-1) ?? '' };
}
