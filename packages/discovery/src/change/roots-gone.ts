/** Roots that a change takes away: their resources still exist, and nothing deploys them any more. */
import type { RepositoryPolicy } from '@nereid/config';
import { directoryOf, nameOf } from '../paths.ts';
import { createIsPresent } from './presence.ts';
import type { PlacedRoot } from '../placed-root.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { isTerraformFile, LOCK_FILE } from '../tree-survey.ts';

/** Most changes cannot, so the revision before is not read for them. */
export function mayTakeRootsAway({ roots, graphs }: RepositoryRoots, changed: readonly string[]): boolean {
  const places = new Set(roots.map(({ place }) => place));
  const isModule = (dir: string) => graphs.terraform.used.has(dir) || graphs.tofu.used.has(dir);
  return changed
    .filter((file) => isTerraformFile(file) || nameOf(file) === LOCK_FILE)
    .some((file) => !places.has(directoryOf(file)) && !isModule(directoryOf(file)));
}

/**
 * Names of roots of the revision before that are not in the later one, neither under their name nor in their directory and
 * workspace: also of those whose declaration went with them.
 */
export function rootsGone(
  earlier: RepositoryRoots,
  found: RepositoryRoots,
  policy: RepositoryPolicy,
): readonly string[] {
  const names = new Set(found.roots.map(({ config }) => config.name));
  const states = new Set(found.roots.map(stateOf));
  return earlier.roots
    .filter(createIsPresent(earlier, policy))
    .filter((root) => !names.has(root.config.name) && !states.has(stateOf(root)))
    .map(({ config }) => config.name);
}

/** Where a root keeps its state: nothing but its directory and its workspace say so. */
export function stateOf({ config, place }: PlacedRoot): string {
  return JSON.stringify([place, config.workspace]);
}
