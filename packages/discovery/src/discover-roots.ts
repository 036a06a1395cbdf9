/**
 * The roots that a change modifies.
 *
 * A root is modified when a changed file matches its `when_modified`. Without such patterns it is modified by its own `*.tf`,
 * `*.tf.json`, `*.tfvars` and lock file, the variable files that it names, and every local module that it reaches, also through
 * other modules.
 */
import { resolveRoot, type Problem } from '@nereid/config';
import type { Ordering, Root } from '@nereid/contracts';
import { findChangedDirectories } from './module-graph.ts';
import { orderingOf } from './ordering.ts';
import { directoryOf, joinPath, nameOf, pathBelow } from './paths.ts';
import {
  CONFIG_FILES,
  readRepositoryRoots,
  type PlacedRoot,
  type Problems,
  type ReadableTree,
  type RepositoryRoots,
  type RootsSource,
} from './repository-roots.ts';
import { isTerraformFile, LOCK_FILE } from './tree-survey.ts';
import { createPatternCompiler } from './when-modified.ts';

export interface Change extends RootsSource {
  /** Relative to the repository's top; both names of a renamed file. */
  readonly changed: readonly string[];
  /** The revision before the change, with its roots. Without it, only roots that are still declared are reported as deleted. */
  readonly before?: ReadableTree;
}

export interface ModifiedRoot {
  readonly root: Root;
  /** The first of the changed files that modify the root, at most three, cut. Hostile. */
  readonly why: readonly string[];
}

export type Discovered =
  | {
      readonly kind: 'roots';
      readonly modified: readonly ModifiedRoot[];
      /** How many roots the revision has. */
      readonly all: number;
      /** Names of roots whose directory or declaration this change deleted; their resources still exist. */
      readonly deleted: readonly string[];
      readonly warnings: readonly Problem[];
      readonly ordering: Ordering;
    }
  | Problems;

/** A person reads no more files to believe that a root is modified. */
const WHY_LIMIT = 3;

/** Enough to recognise a path; a hostile one may have a megabyte, once for each root. */
const WHY_LENGTH = 300;

export async function discoverRoots(change: Change): Promise<Discovered> {
  const found = await readRepositoryRoots(change);
  if (found.kind === 'problems') return found;
  const { present, deleted, warnings } = sortByPresence(found, change.changed);
  const reasons = createReasons(found, change.changed);

  return {
    kind: 'roots',
    modified: present
      .filter(({ config }) => config.enabled)
      .map((root) => ({ root, why: reasons(root) }))
      .filter(({ why }) => why.length > 0)
      .map(({ root, why }) => ({ root: resolveRoot(change.policy, root.config, root.place), why })),
    all: present.length,
    deleted: [...deleted, ...(await rootsGone(found, change))],
    warnings: [...found.warnings, ...warnings],
    ordering: orderingOf(found.roots),
  };
}

interface ByPresence {
  readonly present: readonly PlacedRoot[];
  readonly deleted: readonly string[];
  readonly warnings: readonly Problem[];
}

/** A declared root may have no directory: this change deleted it, or it never had one. */
function sortByPresence({ roots, survey }: RepositoryRoots, changed: readonly string[]): ByPresence {
  const absent = roots.filter(({ place }) => !survey.dirs.has(place));
  const isDeleted = ({ place }: PlacedRoot) => changed.some((file) => pathBelow(place, file) !== undefined);
  return {
    present: roots.filter(({ place }) => survey.dirs.has(place)),
    deleted: absent.filter(isDeleted).map(({ config }) => config.name),
    warnings: absent.filter((root) => !isDeleted(root)).map(absentWarning),
  };
}

function absentWarning({ config }: PlacedRoot): Problem {
  return {
    ...(config.dirAt ?? { path: '' }),
    message: `expected the directory ${JSON.stringify(config.dir)} of root ${config.name}, found none; correct dir or remove the root`,
  };
}

/** The changed files that modify a root; none when it is not modified. */
export function createReasons(
  found: RepositoryRoots,
  changed: readonly string[],
): (root: PlacedRoot) => readonly string[] {
  const compile = createPatternCompiler();
  const changedSet = new Set(changed);
  const changedDirs = findChangedDirectories(found.graph, changed);
  const ownFiles = Map.groupBy(changed.filter(isRootFile), directoryOf);

  return ({ config, place, through }) => {
    if (config.whenModified) {
      const matches = compile(place, config.whenModified);
      return first([...through.filter((link) => changedSet.has(link)), ...firstMatches(changed, matches)]);
    }
    const named = [...config.varFiles.map((file) => joinPath(place, file) ?? ''), ...through];
    return first([
      ...(ownFiles.get(place) ?? []),
      ...named.filter((file) => changedSet.has(file)),
      ...(changedDirs.get(place) ?? []),
    ]);
  };
}

/** Files of a root itself. The module graph knows the files of its modules. */
function isRootFile(path: string): boolean {
  return isTerraformFile(path) || /\.tfvars(\.json)?$/.test(path) || nameOf(path) === LOCK_FILE;
}

/** Stops at the limit: a change may have thousands of files, and a repository thousands of roots. */
function firstMatches(changed: readonly string[], matches: (path: string) => boolean): readonly string[] {
  const found: string[] = [];
  for (const file of changed) {
    if (matches(file) && found.push(file) === WHY_LIMIT) break;
  }
  return found;
}

function first(files: readonly string[]): readonly string[] {
  return [...new Set(files)].slice(0, WHY_LIMIT).map((file) => file.slice(0, WHY_LENGTH));
}

/**
 * Roots that existed before the change and do not exist after it, neither under their name nor in their directory. This
 * includes declared roots whose declaration was deleted with them.
 */
async function rootsGone(found: RepositoryRoots, change: Change): Promise<readonly string[]> {
  const { changed, before, policy, parsed } = change;
  if (!before || !mayTakeRootsAway(found, changed)) return [];
  const earlier = await readRepositoryRoots({ tree: before, policy, parsed });
  // The configuration before was invalid: its roots were reported earlier, or never deployed.
  if (earlier.kind === 'problems') return [];
  const names = new Set(found.roots.map(({ config }) => config.name));
  const places = new Set(found.roots.map(({ place }) => place));
  return earlier.roots
    .filter(({ place }) => earlier.survey.dirs.has(place))
    .filter(({ config, place }) => !names.has(config.name) && !places.has(place))
    .map(({ config }) => config.name);
}

/** Most changes cannot, so the revision before is not read for them. */
function mayTakeRootsAway({ roots, graph }: RepositoryRoots, changed: readonly string[]): boolean {
  if (changed.some((file) => (CONFIG_FILES as readonly string[]).includes(file))) return true;
  const places = new Set(roots.map(({ place }) => place));
  return changed
    .filter(isRootFile)
    .some((file) => !places.has(directoryOf(file)) && !graph.users.has(directoryOf(file)));
}
