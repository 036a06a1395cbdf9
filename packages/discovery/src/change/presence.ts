/** Roots that a revision really has, and those of which only the declaration is left. */
import { resolveRoot, type Problem, type RepositoryPolicy } from '@nereid/config';
import { directoryOf, pathBelow } from '../paths.ts';
import type { PlacedRoot } from '../placed-root.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { isTerraformFile } from '../tree-survey.ts';

export interface ByPresence {
  readonly present: readonly PlacedRoot[];
  /** Names of those whose directory or files this change deleted. */
  readonly deleted: readonly string[];
  /** Those that this change did not delete. */
  readonly absent: readonly AbsentRoot[];
}

export interface AbsentRoot {
  readonly root: PlacedRoot;
  readonly problem: Problem;
}

export function sortByPresence(
  found: RepositoryRoots,
  policy: RepositoryPolicy,
  changed: readonly string[],
): ByPresence {
  const isThere = createIsPresent(found, policy);
  const absent = found.roots.filter((root) => !isThere(root));
  const isDeleted = ({ place }: PlacedRoot) =>
    changed.some((file) =>
      found.survey.dirs.has(place)
        ? directoryOf(file) === place && isTerraformFile(file)
        : pathBelow(place, file) !== undefined,
    );
  return {
    present: found.roots.filter(isThere),
    deleted: absent.filter(isDeleted).map(({ config }) => config.name),
    absent: absent.filter((root) => !isDeleted(root)).map((root) => ({ root, problem: absentProblem(root, found) })),
  };
}

/** A root has files that its program loads, or steps that may write them, or is in a submodule, whose files are not listed here. */
export function createIsPresent(
  { survey, graphs }: RepositoryRoots,
  policy: RepositoryPolicy,
): (root: PlacedRoot) => boolean {
  return ({ config, place }) => {
    if (isInSubmodule(place, survey.submodules)) return true;
    if (!survey.dirs.has(place)) return false;
    // Nearly all of them, without a look at their settings.
    if (graphs.terraform.configured.has(place) && graphs.tofu.configured.has(place)) return true;
    const { distribution, steps } = resolveRoot(policy, config, place);
    return graphs[distribution].configured.has(place) || steps.plan.some((step) => 'run' in step);
  };
}

function isInSubmodule(place: string, submodules: ReadonlySet<string>): boolean {
  if (submodules.size === 0) return false;
  for (let at = place; at !== '.'; at = directoryOf(at)) if (submodules.has(at)) return true;
  return false;
}

function absentProblem({ config, place }: PlacedRoot, { survey }: RepositoryRoots): Problem {
  const dir = JSON.stringify(config.dir);
  const what = survey.dirs.has(place)
    ? `expected files in ${dir} that the program of root ${config.name} loads, found ${survey.terraform.has(place) ? 'only files for OpenTofu' : 'none'}; add them, correct dir or distribution, or remove the root`
    : `expected the directory ${dir} of root ${config.name}, found none; correct dir or remove the root`;
  return { ...(config.dirAt ?? { path: '' }), message: what };
}
