/** What one directory with configuration adds to the inputs of every root that reaches it. */
import type { TerraformFacts } from '../terraform/terraform-facts.ts';
import type { Uses } from '../module-graph.ts';
import { joinPath } from '../paths.ts';

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

/** `isNews` says of a path whether it is no input of the directory anyway. */
export function inputsOfDirectory(dir: string, uses: Uses, isNews: (path: string) => boolean): DirectoryInputs {
  const beside = pathsIn(uses.files, ({ besideModule }) => besideModule);
  const literal = pathsIn(uses.files, ({ besideRoot }) => besideRoot);
  const computed = uses.files.find(([, facts]) => facts.computed !== undefined);
  const opaque = uses.files.find(([, facts]) => facts.opaque !== undefined);
  return {
    modules: uses.modules,
    named: [...uses.through, ...joined(dir, [...beside, ...literal]).filter(isNews)],
    climbing: literal.filter(isClimbing),
    staying: literal.filter((path) => !isClimbing(path)),
    ...(computed && { everything: `${computed[0]} has ${computed[1].computed ?? ''}` }),
    ...(opaque && { opaque: `${opaque[0]} has ${opaque[1].opaque ?? ''}` }),
    ...(uses.unknown !== undefined && { opaque: `${uses.unknown} could not be read` }),
    listsFolders: uses.files.some(([, facts]) => facts.listsFolders === true),
  };
}

function pathsIn(files: Uses['files'], pathsOf: (facts: TerraformFacts) => readonly string[]): readonly string[] {
  return [...new Set(files.flatMap(([, facts]) => pathsOf(facts)))];
}

function isClimbing(path: string): boolean {
  return path.split('/').includes('..');
}

/** Those that stay in the repository. */
export function joined(dir: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => joinPath(dir, path) ?? []);
}
