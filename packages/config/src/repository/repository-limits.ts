/** How much a repository may ask for, whichever file it writes. One limit, one sentence, one test. */
import type { RepositoryPolicy } from '../server/repository-policy/policy.ts';
import { resolveRoot } from './resolve-root.ts';
import type { Problem } from '../yaml/problem.ts';
import type { RepositoryConfig } from './repository-config.ts';

/** The largest repositories that we know have 2,000 roots. */
export const ROOTS_LIMIT = 10_000;

/** A root that needs more patterns or files than this should name directories. */
export const LIST_LIMIT = 100;

/** Twenty-five for each root of those repositories; each is compared with every changed file. */
export const PATTERNS_LIMIT = 50_000;

/** One for each root of a repository at its limit: each end of a deployment follows those of its merge. */
export const DEPENDENCIES_LIMIT = 10_000;

/** The settings of one root travel through its lane and its deployments. People write a fiftieth of this. */
export const ROOT_LIMIT_BYTES = 64 * 1024;

export function problemsOfSize(config: RepositoryConfig, policy: RepositoryPolicy): readonly Problem[] {
  const problems = [rootsProblem(config.roots.length), patternsProblem(config), dependenciesProblem(config)].filter(
    (problem) => problem !== undefined,
  );
  return problems.length > 0 ? problems : largeRoots(config, policy);
}

export function rootsProblem(roots: number): Problem | undefined {
  if (roots <= ROOTS_LIMIT) return undefined;
  return { path: '', message: `expected at most ${ROOTS_LIMIT} roots, found ${roots}; split the repository` };
}

function patternsProblem({ roots }: RepositoryConfig): Problem | undefined {
  const patterns = roots.reduce((sum, { whenModified = [] }) => sum + whenModified.length, 0);
  if (patterns <= PATTERNS_LIMIT) return undefined;
  return {
    path: '',
    message: `expected at most ${PATTERNS_LIMIT} patterns of when_modified in all, found ${patterns}; name directories, or leave when_modified out where the files and modules of the root decide`,
  };
}

function dependenciesProblem({ roots }: RepositoryConfig): Problem | undefined {
  const dependencies = roots.reduce((sum, { dependsOn = [] }) => sum + dependsOn.length, 0);
  if (dependencies <= DEPENDENCIES_LIMIT) return undefined;
  return {
    path: '',
    message: `expected at most ${DEPENDENCIES_LIMIT} names of depends_on in all, found ${dependencies}; use execution_order_group`,
  };
}

function largeRoots({ roots }: RepositoryConfig, policy: RepositoryPolicy): readonly Problem[] {
  return roots.flatMap((root) => {
    const bytes = Buffer.byteLength(JSON.stringify(resolveRoot(policy, root)));
    if (bytes <= ROOT_LIMIT_BYTES) return [];
    const message = `expected settings of at most ${ROOT_LIMIT_BYTES} bytes for a root, with those of the server, found ${bytes} for ${root.name}; name fewer or shorter var_files`;
    return [{ ...(root.dirAt ?? { path: '' }), message }];
  });
}
