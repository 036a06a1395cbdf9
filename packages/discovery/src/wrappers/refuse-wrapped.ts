/**
 * Discovered roots beside a `terragrunt.hcl`: without the inputs, the backend and the hooks that it adds, something else would be
 * deployed than people think. A root that its repository declares is meant as it is.
 */
import { resolveRoot, type RepositoryPolicy } from '@nereid/config';
import type { PlacedRoot } from '../placed-root.ts';

/** The same roots; those in directories that Terragrunt runs are refused by their plans, unless a step may run it. */
export function refuseWrapped(
  roots: readonly PlacedRoot[],
  wrapped: ReadonlySet<string>,
  policy: RepositoryPolicy,
): readonly PlacedRoot[] {
  if (wrapped.size === 0) return roots;
  return roots.map((root) => {
    const isPlain = wrapped.has(root.place) && root.config.dirAt === undefined && !runsCommands(root, policy);
    return isPlain ? { ...root, refused: WHY } : root;
  });
}

function runsCommands({ config, place }: PlacedRoot, policy: RepositoryPolicy): boolean {
  return resolveRoot(policy, config, place).steps.plan.some((step) => 'run' in step);
}

const WHY =
  'expected code that Terraform runs as it is, found terragrunt.hcl beside it, whose inputs, backend and hooks would be missing: ' +
  'nothing here runs Terragrunt; list the directory in nereid.yaml if it needs none of them, or in autodiscover.ignore';
