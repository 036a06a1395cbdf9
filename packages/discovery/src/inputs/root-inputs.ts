/** The inputs of one root at one revision: the files whose changes may change what Terraform plans for it. */
import { isTofuName } from '@nereid/hcl';
import { isConfigFile } from '../config-files.ts';
import { directoryOf } from '../paths.ts';

/** Plain, so that it can go from thread to thread. Paths are relative to the repository's top, `.` for the top itself. */
export interface RootInputs {
  /** Why every file of the repository is an input; absent where only those below are. */
  readonly everything?: string;
  /** Why the root may read files that are not among these; absent where it reads no others. */
  readonly opaque?: string;
  /** Directories of the root and of its modules: all files below, but no documentation and none of `others`. */
  readonly directories: readonly string[];
  /** Files and folders that it names, or reaches by links: each with everything below. */
  readonly named: readonly string[];
  /** Directories of other roots. */
  readonly others: readonly string[];
  /** Whether `*.md` count like other files. */
  readonly hasDocumentation: boolean;
  /** Whether files for OpenTofu alone count. */
  readonly hasTofu: boolean;
}

export function everythingBecause(why: string): RootInputs {
  return {
    everything: why,
    opaque: why,
    directories: [],
    named: [],
    others: [],
    hasDocumentation: true,
    hasTofu: true,
  };
}

/** Says of a path, of a file or of a submodule, whether it is an input. */
export function createIsInput(inputs: RootInputs): (path: string) => boolean {
  const { everything, hasDocumentation, hasTofu } = inputs;
  const directories = new Set(inputs.directories);
  const named = new Set(inputs.named);
  const others = new Set(inputs.others);
  // The entry of a root in the repository's file counts for itself.
  const isOrdinary = (path: string) =>
    !isConfigFile(path) && (hasDocumentation || !/\.md$/i.test(path)) && (hasTofu || !isTofuName(path));

  return (path) => {
    if (everything !== undefined) return true;
    let nearest: 'own' | 'other' | undefined;
    for (let at = path; ; at = directoryOf(at)) {
      if (named.has(at)) return true;
      if (nearest === undefined && directories.has(at)) nearest = 'own';
      else if (nearest === undefined && others.has(at)) nearest = 'other';
      if (at === '.') return nearest === 'own' && isOrdinary(path);
    }
  };
}

/**
 * Says of a path whether the root plausibly reads it. This is any input. Where the root may read any file, it is also everything
 * below its folders and the paths that it names, and everything in a folder on the way from the top to one of these.
 */
export function createIsInReach(inputs: RootInputs): (path: string) => boolean {
  const isInput = createIsInput(inputs);
  if (inputs.opaque === undefined) return isInput;
  const places = new Set([...inputs.directories, ...inputs.named]);
  const above = new Set([...places].flatMap(foldersAbove));
  return (path) => {
    const folders = foldersAbove(path);
    return isInput(path) || folders.slice(0, 1).some((dir) => above.has(dir)) || folders.some((dir) => places.has(dir));
  };
}

/** Its own folder first. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path; at !== '.';) folders.push((at = directoryOf(at)));
  return folders;
}
