/** What one directory with configuration adds to the inputs of every root that reaches it. */
import type { TerraformFacts } from '../terraform/terraform-facts.ts';
import type { Uses } from '../module-graph.ts';
import { joinPath, pathBelow } from '../paths.ts';

export interface DirectoryInputs {
  readonly modules: readonly string[];
  /** Files and folders, relative to the repository's top. */
  readonly named: readonly string[];
  /** Relative to the directory of the root, whichever it is: those that lead out of it, and the others. */
  readonly climbing: readonly string[];
  readonly staying: readonly string[];
  readonly everything?: string;
  readonly opaque?: string;
  readonly listsFolders: boolean;
}

/** `isNews` says of a path below the directory whether it counts only when it is named; undefined where none does. */
export function inputsOfDirectory(
  dir: string,
  uses: Uses,
  isNews: ((path: string) => boolean) | undefined,
): DirectoryInputs {
  const beside = pathsIn(uses.files, ({ besideModule }) => besideModule);
  const climbing = pathsIn(uses.files, (facts) => facts.climbing);
  const staying = pathsIn(uses.files, (facts) => facts.staying);
  const computed = uses.files.find(([, facts]) => facts.computed !== undefined);
  const opaque = uses.files.find(([, facts]) => facts.opaque !== undefined);
  const isNamed = (path: string) =>
    path !== dir && (pathBelow(dir, path) === undefined || isDocumentation(path) || isNews?.(path) === true);
  const inside = isNews ? staying : staying.filter(isDocumentation);
  return {
    modules: uses.modules,
    named: [...uses.through, ...joined(dir, [...beside, ...climbing, ...inside]).filter(isNamed)],
    climbing,
    staying,
    ...(computed && { everything: `${computed[0]} has ${computed[1].computed ?? ''}` }),
    ...(opaque && { opaque: `${opaque[0]} has ${opaque[1].opaque ?? ''}` }),
    ...(uses.unknown !== undefined && { opaque: `${uses.unknown} could not be read` }),
    listsFolders: uses.files.some(([, facts]) => facts.listsFolders === true),
  };
}

export function isDocumentation(path: string): boolean {
  return /\.md$/i.test(path);
}

function pathsIn(files: Uses['files'], pathsOf: (facts: TerraformFacts) => readonly string[]): readonly string[] {
  return files.flatMap(([, facts]) => pathsOf(facts));
}

/** Those that stay in the repository. */
export function joined(dir: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? paths : paths.flatMap((path) => joinPath(dir, path) ?? []);
}
