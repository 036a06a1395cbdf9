/** Roots that a change takes away: their resources still exist, and nothing deploys them any more. */
import type { RepositoryPolicy } from '@nereid/config';
import { directoryOf, nameOf } from '../paths.ts';
import { createIsPresent } from './presence.ts';
import { stateOf } from '../placed-root.ts';
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
 * Names of roots that the revision before has and the later one does not, also under no new name in their directory and workspace. The
 * declaration of a root may have gone with it.
 */
export function rootsGone(
  earlier: RepositoryRoots,
  found: RepositoryRoots,
  policy: RepositoryPolicy,
): readonly string[] {
  const names = new Set(found.roots.map(({ config }) => config.name));
  const namesBefore = new Set(earlier.roots.map(({ config }) => config.name));
  // A name that stood there before is another root.
  const renamed = new Set(found.roots.filter(({ config }) => !namesBefore.has(config.name)).map(stateOf));
  return earlier.roots
    .filter(createIsPresent(earlier, policy))
    .filter((root) => !names.has(root.config.name) && !renamed.has(stateOf(root)))
    .map(({ config }) => config.name);
}
