/**
 * Which commits of a stretch modify one root, as the root is at the end of it: a commit that changed a module counts although a
 * later one began to use it, because the two are deployed together.
 */
import { createReasons } from './discover-roots.ts';
import { readRepositoryRoots, type Problems, type RootsSource } from './repository-roots.ts';

export interface Stretch extends RootsSource {
  /** Hostile. */
  readonly rootName: string;
  /** The files of each commit, relative to the repository's top. */
  readonly changes: readonly (readonly string[])[];
}

export type Touching =
  /** An answer for each commit. */
  { readonly kind: 'touching'; readonly isTouched: readonly boolean[] } | { readonly kind: 'unknown' } | Problems;

export async function findTouching({ rootName, changes, ...source }: Stretch): Promise<Touching> {
  const found = await readRepositoryRoots(source);
  if (found.kind === 'problems') return found;
  const root = found.roots.find(({ config }) => config.name === rootName);
  if (root === undefined) return { kind: 'unknown' };
  return { kind: 'touching', isTouched: changes.map((changed) => createReasons(found, changed)(root).length > 0) };
}
