/** Roots by their names, as a person writes them in a command. */
import type { Problem } from '@nereid/config';
import type { Ordering } from '@nereid/domain/rollout';
import { ROOT_NAME_LIMIT, type Root } from '@nereid/domain/root';
import { closest, distance } from 'fastest-levenshtein';
import type { ConfigFile } from './config-files.ts';
import { orderingOf } from './ordering.ts';
import { createIsPresent } from './change/presence.ts';
import { readRepositoryRoots, type Problems, type RootsSource } from './repository-roots.ts';
import { resolvePlaced } from './states/shared-states.ts';

export interface NamedRoots extends RootsSource {
  /** Hostile. */
  readonly names: readonly string[];
}

export type FoundRoots =
  | {
      readonly kind: 'roots';
      readonly roots: readonly Root[];
      /** The file that declares roots, or that could: that of the warnings. */
      readonly file: ConfigFile;
      readonly warnings: readonly Problem[];
      readonly ordering: Ordering;
    }
  /** `sentence` gives the unknown names, the nearest known name for each, and the names of the existing roots. */
  | { readonly kind: 'unknown'; readonly names: readonly string[]; readonly sentence: string }
  | Problems;

/** So many names fit into a comment without hiding the rest of it. */
const LISTED_LIMIT = 20;

export async function findRoots({ names, ...source }: NamedRoots): Promise<FoundRoots> {
  const found = await readRepositoryRoots(source);
  if (found.kind === 'problems') return found;
  const present = found.roots.filter(createIsPresent(found, source.policy));
  const byName = new Map(present.map((root) => [root.config.name, root]));

  const wanted = [...new Set(names)];
  const unknown = wanted.filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    return { kind: 'unknown', names: unknown, sentence: describeUnknownNames(unknown, [...byName.keys()]) };
  }
  const roots = wanted.flatMap((name) => byName.get(name) ?? []).map((placed) => resolvePlaced(source.policy, placed));
  return { kind: 'roots', roots, file: found.file, warnings: found.warnings, ordering: orderingOf(found.roots) };
}

export function describeUnknownNames(unknown: readonly string[], known: readonly string[]): string {
  if (known.length === 0) return 'expected names of roots, found that this revision has no roots; add one';
  const listed = known.toSorted().slice(0, LISTED_LIMIT).join(', ');
  const more = known.length > LISTED_LIMIT ? ` and ${known.length - LISTED_LIMIT} more` : '';
  const found = unknown.slice(0, LISTED_LIMIT).map((name) => describeUnknown(name.slice(0, ROOT_NAME_LIMIT), known));
  return `expected names of roots, found ${found.join(', ')}; the roots are ${listed}${more}`;
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = closest(name, known);
  // A name that differs in more than half of its letters was not meant.
  const isNear = distance(name, nearest) <= nearest.length / 2;
  return `${JSON.stringify(name)}${isNear ? ` (did you mean ${nearest}?)` : ''}`;
}
