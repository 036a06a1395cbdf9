/**
 * Which roots a change touches.
 *
 * A root is modified when a changed file matches its `when_modified`. Without such patterns: its own `*.tf`, `*.tf.json`,
 * `*.tfvars` and lock file, the variable files it names, and every local module it reaches, through other modules too.
 */
import { resolveRoot, type Problem } from '@nereid/config';
import type { Root } from '@nereid/contracts';
import type { RevisionTree } from '@nereid/git';
import { findChangedDirectories } from './module-graph.ts';
import { directoryOf, joinPath, nameOf, pathBelow } from './paths.ts';
import {
  CONFIG_FILES,
  readRepositoryRoots,
  type PlacedRoot,
  type Problems,
  type RepositoryRoots,
  type RootsSource,
} from './repository-roots.ts';
import { isTerraformFile, LOCK_FILE } from './tree-survey.ts';
import { createPatternCompiler } from './when-modified.ts';

export interface Change extends RootsSource {
  /** Relative to the repository's top; both names of what was renamed. */
  readonly changed: readonly string[];
  /** The revision with which it was compared: tells which roots were there before. Absent: none is reported as deleted, but those still declared. */
  readonly before?: RevisionTree;
}

export interface ModifiedRoot {
  readonly root: Root;
  /** The first of the changed files that made it count as modified, at most three. Hostile. */
  readonly why: readonly string[];
}

export type Discovered =
  | {
      readonly kind: 'roots';
      readonly modified: readonly ModifiedRoot[];
      /** How many roots the revision has. */
      readonly all: number;
      /** Names of roots that this change deleted, their directory or their declaration: what they manage is still there. */
      readonly deleted: readonly string[];
      readonly warnings: readonly Problem[];
    }
  | Problems;

/** As many files as a person reads to believe it. */
const WHY_LIMIT = 3;

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
      .map(({ root, why }) => ({ root: resolveRoot(change.policy, root.config), why })),
    all: present.length,
    deleted: [...deleted, ...(await rootsGone(found, change))],
    warnings: [...found.warnings, ...warnings],
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

/** Why a root counts as modified; nothing: it does not. */
function createReasons(found: RepositoryRoots, changed: readonly string[]): (root: PlacedRoot) => readonly string[] {
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

/** Files of a root itself; which of them belong to its modules the graph knows. */
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
  return [...new Set(files)].slice(0, WHY_LIMIT);
}

/**
 * Roots that were there before the change, and are not after it: neither under their name nor in their directory. Declared
 * ones as well, whose declaration went with them.
 */
async function rootsGone(found: RepositoryRoots, change: Change): Promise<readonly string[]> {
  const { changed, before, policy, parsed } = change;
  if (!before || !mayTakeRootsAway(found, changed)) return [];
  const earlier = await readRepositoryRoots({ tree: before, policy, parsed });
  // What the configuration said then nobody could read: those roots were reported, or never deployed.
  if (earlier.kind === 'problems') return [];
  const names = new Set(found.roots.map(({ config }) => config.name));
  const places = new Set(found.roots.map(({ place }) => place));
  return earlier.roots
    .filter(({ place }) => earlier.survey.dirs.has(place))
    .filter(({ config, place }) => !names.has(config.name) && !places.has(place))
    .map(({ config }) => config.name);
}

/** Most changes cannot, and the revision before is not read for them. */
function mayTakeRootsAway({ roots, graph }: RepositoryRoots, changed: readonly string[]): boolean {
  if (changed.some((file) => (CONFIG_FILES as readonly string[]).includes(file))) return true;
  const places = new Set(roots.map(({ place }) => place));
  return changed
    .filter(isRootFile)
    .some((file) => !places.has(directoryOf(file)) && !graph.users.has(directoryOf(file)));
}
