/**
 * Discovered roots beside a `terragrunt.hcl`: without the inputs, the backend and the hooks that it adds, something else would be
 * deployed than people think. A root that its repository declares is meant as it is.
 */
import type { RepositoryPolicy } from '@nereid/config';
import type { ConfigFile } from '../config-files.ts';
import type { PlacedRoot } from '../placed-root.ts';
import { runsCommands } from './runs-commands.ts';

export interface Wrapping {
  /** Directories that Terragrunt runs. */
  readonly wrapped: ReadonlySet<string>;
  readonly policy: RepositoryPolicy;
  /** The file that declares roots, or that could. */
  readonly file: ConfigFile;
}

/** The same roots; those in directories that Terragrunt runs are refused by their plans, unless a step may run it. */
export function refuseWrapped(
  roots: readonly PlacedRoot[],
  { wrapped, policy, file }: Wrapping,
): readonly PlacedRoot[] {
  if (wrapped.size === 0) return roots;
  return roots.map((root) => {
    const isPlain = wrapped.has(root.place) && root.config.dirAt === undefined && !runsCommands(root, policy);
    return isPlain ? { ...root, refused: why(file) } : root;
  });
}

/** A list of roots would end discovery, unless it is enabled. */
function why(file: ConfigFile): string {
  return (
    'expected code that Terraform runs as it is, found terragrunt.hcl beside it, whose inputs, backend and hooks would be missing: ' +
    `nothing here runs Terragrunt; list the directory in ${file}, with autodiscover.mode: enabled, if it needs none of them, ` +
    'or in autodiscover.ignore'
  );
}
