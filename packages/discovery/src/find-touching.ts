/**
 * Which commits of a stretch brought something to one root, as the root is at the end of it: a commit that changed a module counts
 * although a later one began to use it, because the two are deployed together.
 *
 * This says who counts as an author, so it is wide: every commit that changes an input or the repository's file, whatever that
 * file calls a modification. A root that may read other files than its inputs is touched by every commit that changes a file.
 */
import { resolveRoot } from '@nereid/config';
import { createInputsFinder } from './inputs/find-inputs.ts';
import { createIsInput } from './inputs/root-inputs.ts';
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
  const found = await readRepositoryRoots(source, { isComplete: true });
  if (found.kind === 'problems') return found;
  const placed = found.roots.find(({ config }) => config.name === rootName);
  if (placed === undefined) return { kind: 'unknown' };
  const root = resolveRoot(source.policy, placed.config, placed.place);
  // Configuration for the other program waits for the day on which the root changes over.
  const inputs = { ...createInputsFinder(found)({ ...placed, root }), hasTofu: true };
  const isInput = inputs.opaque === undefined ? createIsInput(inputs) : () => true;
  const isTouched = changes.map((changed) => changed.some((path) => found.isConfigFile(path) || isInput(path)));
  return { kind: 'touching', isTouched };
}
