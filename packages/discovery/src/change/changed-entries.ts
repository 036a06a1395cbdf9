/** Roots whose entry in the repository's file is another one than before: a new workspace, other variables, a new root. */
import { isDeepStrictEqual } from 'node:util';
import { stateOf, type PlacedRoot } from '../placed-root.ts';
import type { Problems, RepositoryRoots } from '../repository-roots.ts';

/** Where nobody could read the earlier file, every entry may be another one. */
export function createEntryComparison(earlier: RepositoryRoots | Problems | undefined): (root: PlacedRoot) => boolean {
  if (earlier?.kind !== 'roots') return () => true;
  const byName = new Map(earlier.roots.map((root) => [root.config.name, root]));
  const byState = new Map(earlier.roots.map((root) => [stateOf(root), root]));
  return (root) => {
    const before = byName.get(root.config.name) ?? byState.get(stateOf(root));
    return before === undefined || !isDeepStrictEqual(entryOf(before), entryOf(root));
  };
}

/** Another name for the same is no change, and neither is another line of the file. */
function entryOf({ config: { name: _name, dirAt: _line, ...entry }, place }: PlacedRoot) {
  return { ...entry, place };
}
