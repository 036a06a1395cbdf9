/**
 * The roots that a change modifies: those with a changed file among their inputs, or with another entry in the repository's file
 * than before. Where a root has a `when_modified`, its patterns take the place of the inputs.
 */
import type { Problem } from '@nereid/config';
import type { Ordering } from '@nereid/domain/rollout';
import type { Root } from '@nereid/domain/root';
import { indexChanged } from './change/changed-index.ts';
import type { ConfigFile } from './config-files.ts';
import { createEntryComparison } from './change/changed-entries.ts';
import { createInputsFinder } from './inputs/find-inputs.ts';
import { createIsInput, type RootInputs } from './inputs/root-inputs.ts';
import { orderingOf } from './ordering.ts';
import { directoryOf } from './paths.ts';
import { sortByPresence, type AbsentRoot } from './change/presence.ts';
import { mayTakeRootsAway, rootsGone } from './change/roots-gone.ts';
import type { PlacedRoot } from './placed-root.ts';
import {
  readRepositoryRoots,
  type Problems,
  type ReadableTree,
  type RepositoryRoots,
  type RootsSource,
} from './repository-roots.ts';
import { resolvePlaced } from './states/shared-states.ts';
import { describeUndeclared } from './change/undeclared.ts';
import { describeWithoutBackend } from './change/without-backend.ts';
import { describeWrapped } from './change/wrapped.ts';
import { describeUnplanned, type JudgedRoot } from './change/unplanned.ts';
import { createPatternCompiler } from './patterns/when-modified.ts';

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
      /** The configuration before the change could not be read, so that further roots of it may be gone. */
      readonly isEarlierUnread?: true;
      /**
       * Which changed files are inputs of no root, and which roots may read them all the same; which changed directories look like roots
       * and are none. Hostile.
       */
      readonly unplanned?: string;
      /** The file that declares roots, or that could: that of the warnings. */
      readonly file: ConfigFile;
      readonly warnings: readonly Problem[];
      readonly ordering: Ordering;
    }
  | Problems;

/** A person reads no more files to believe that a root is modified. */
const WHY_LIMIT = 3;

/** Enough to recognise a path; a hostile one may have a megabyte, once for each root. */
const WHY_LENGTH = 300;

export async function discoverRoots(change: Change): Promise<Discovered> {
  const { changed, before, policy, parsed } = change;
  const found = await readRepositoryRoots(change);
  if (found.kind === 'problems') return found;
  const { present, deleted, absent } = sortByPresence(found, policy, changed);
  const isNeeded = changed.some(found.isConfigFile) || mayTakeRootsAway(found, changed);
  const earlier = before && isNeeded ? await readRepositoryRoots({ tree: before, policy, parsed }) : undefined;
  const mistaken = absent.filter(createIsMistaken(found, earlier));
  if (mistaken.length > 0)
    return { kind: 'problems', file: found.file, problems: mistaken.map(({ problem }) => problem) };
  const earlierRoots = earlier?.kind === 'roots' ? earlier.roots : [];
  const judged = present.map(createJudge(found, change, earlier));
  const belongsToRoot = createIsBelow([...found.roots, ...earlierRoots].map(({ place }) => place));
  const unplanned = [
    describeUnplanned(judged, changed, (file) => found.isConfigFile(file) || belongsToRoot(file)),
    describeUndeclared(found, changed),
    describeWithoutBackend(found, changed),
    describeWrapped(found, changed, policy),
  ].filter((sentence) => sentence !== undefined);

  return {
    kind: 'roots',
    modified: judged.flatMap(({ root, why, isPlanned }) => (isPlanned ? { root, why } : [])),
    all: present.length,
    deleted: [...deleted, ...(earlier?.kind === 'roots' ? rootsGone(earlier, found, policy) : [])],
    ...(earlier?.kind === 'problems' && { isEarlierUnread: true }),
    ...(unplanned.length > 0 && { unplanned: unplanned.join('; ') }),
    file: found.file,
    warnings: [...found.warnings, ...absent.map(({ problem }) => problem)],
    ordering: orderingOf(found.roots),
  };
}

/**
 * Whether the change itself declares a root where there is none, by a slip that would leave it undeployed for ever. A root whose files
 * went before must not hold up others, and nor must anything that Atlantis accepts.
 */
function createIsMistaken(
  found: RepositoryRoots,
  earlier: RepositoryRoots | Problems | undefined,
): (absent: AbsentRoot) => boolean {
  if (found.file !== 'nereid.yaml' || earlier?.kind !== 'roots') return () => false;
  const isOtherEntry = createEntryComparison(earlier);
  return ({ root }) => isOtherEntry(root);
}

/** Says of a root whether the change modifies it, and by which files. */
function createJudge(
  found: RepositoryRoots,
  { changed, policy }: Change,
  earlier: RepositoryRoots | Problems | undefined,
): (placed: PlacedRoot) => JudgedRoot & ModifiedRoot {
  const compile = createPatternCompiler();
  const index = indexChanged(changed);
  const inputsOf = createInputsFinder(found);
  const files = changed.filter(found.isConfigFile);
  const isOtherEntry = createEntryComparison(earlier);

  const reach = ({ config, place, through }: PlacedRoot, root: Root): Omit<JudgedRoot, 'root' | 'isPlanned'> => {
    if (config.whenModified) {
      const linked = new Set(through.flatMap((link) => index.below(link)));
      const isMatch = compile(place, config.whenModified);
      const matches = (file: string) => linked.has(file) || isMatch(file);
      return { opaque: undefined, candidates: () => [...linked, ...changed], matches };
    }
    const inputs = inputsOf({ root, place, through });
    let isInput: ReturnType<typeof createIsInput> | undefined;
    // Nearly all roots have no changed file near them.
    const matches = (file: string) => (isInput ??= createIsInput(inputs))(file);
    return {
      opaque: config.enabled ? inputs.opaque : undefined,
      candidates: () => candidates(inputs, index),
      matches,
    };
  };

  return (placed) => {
    const root = resolvePlaced(policy, placed);
    const reached = reach(placed, root);
    const entry = files.filter(() => isOtherEntry(placed));
    const why = first([...entry, ...firstMatches(reached.candidates(), reached.matches)]);
    return { ...reached, root, why, isPlanned: placed.config.enabled && why.length > 0 };
  };
}

/** Whether a file is at one of the places or below. */
function createIsBelow(places: readonly string[]): (file: string) => boolean {
  const known = new Set(places);
  return (file) => {
    for (let at = file; at !== '.'; at = directoryOf(at)) if (known.has(at)) return true;
    return false;
  };
}

/** Changed files in or near the inputs: those of the root first. */
function* candidates(inputs: RootInputs, index: ReturnType<typeof indexChanged>): Generator<string> {
  if (inputs.everything !== undefined) yield* index.below('.');
  else for (const place of [...inputs.directories, ...inputs.named]) yield* index.below(place);
}

/** Stops at the limit: a change may have thousands of files, and a repository thousands of roots. */
function firstMatches(changed: Iterable<string>, matches: (path: string) => boolean): readonly string[] {
  const found = new Set<string>();
  for (const file of changed) {
    if (matches(file) && found.add(file).size === WHY_LIMIT) break;
  }
  return [...found];
}

function first(files: readonly string[]): readonly string[] {
  return [...new Set(files)].slice(0, WHY_LIMIT).map((file) => file.slice(0, WHY_LENGTH));
}
