/**
 * The directories that use other directories as modules: a change in a module is a change in everything that reaches it.
 *
 * The users of a module that was deleted or renamed still name it, so they are found by its old place.
 */
import { followLinks, type Links } from './links.ts';
import { directoryOf, joinPath } from './paths.ts';
import type { TerraformFacts } from './terraform/terraform-facts.ts';
import { isTerraformFile, type TreeSurvey } from './tree-survey.ts';

export interface ModuleGraph {
  /** Directories with a `backend` or `cloud` block. */
  readonly backends: ReadonlySet<string>;
  /** By place, its users: directories that name it as a module, reach a module through it (a link), or link to it (a file). */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Changed files that are kept as the reason why a directory counts as changed; enough to recognise it. */
const WHY_LIMIT = 3;

export function buildModuleGraph(
  survey: TreeSurvey,
  facts: ReadonlyMap<string, TerraformFacts>,
  links: Links,
): ModuleGraph {
  const backends = new Set<string>();
  const users = new Map<string, Set<string>>();
  const addUse = (used: string, dir: string) => {
    const known = users.get(used);
    if (known) known.add(dir);
    else users.set(used, new Set([dir]));
  };

  for (const [dir, files] of survey.terraform) {
    for (const file of files) {
      const source = file.kind === 'link' ? followFile(file.path, links) : file.path;
      if (source !== file.path) addUse(source, dir);
      const known = facts.get(source);
      if (known?.hasBackend) backends.add(dir);
      for (const module of known?.modules ?? []) {
        for (const used of placesOf(dir, module, links)) addUse(used, dir);
      }
    }
  }
  return { backends, users };
}

/** Every directory that a changed file reaches, with the first of those files. */
export function findChangedDirectories(
  { users }: ModuleGraph,
  changed: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const why = new Map<string, string[]>();
  const queue: string[] = [];
  const reach = (place: string, files: readonly string[]) => {
    const known = why.get(place);
    if (!known) {
      why.set(place, files.slice(0, WHY_LIMIT));
      queue.push(place);
    }
  };

  for (const file of changed) {
    const dir = directoryOf(file);
    if (isTerraformFile(file)) {
      const known = why.get(dir);
      if (known && known.length < WHY_LIMIT) known.push(file);
      else reach(dir, [file]);
    }
    if (users.has(file)) reach(file, [file]);
  }
  // The array grows during the loop; every place comes only once.
  for (const place of queue) {
    for (const user of users.get(place) ?? []) reach(user, why.get(place) ?? []);
  }
  return why;
}

/** The target of a link to a file; the link itself when the target is outside the repository. */
function followFile(path: string, links: Links): string {
  const followed = followLinks(path, links);
  return followed.kind === 'inside' ? followed.path : path;
}

/** The module's directory, and the links that lead there. */
function placesOf(dir: string, source: string, links: Links): readonly string[] {
  const named = joinPath(dir, source);
  if (named === undefined) return [];
  const followed = followLinks(named, links);
  return followed.kind === 'inside' ? [followed.path, ...followed.through] : [named];
}
