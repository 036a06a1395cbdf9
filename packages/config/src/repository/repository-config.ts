/** A repository's configuration of its own roots, normalised. */
import type { PlanReviewPolicy, Root } from '@nereid/domain/root';
import type { TimeoutMs } from '../settings/timeout.ts';
import type { Place, Problem } from '../yaml/problem.ts';

/** A root as its repository declares it; `resolveRoot` adds the server's settings. */
export interface RootConfig {
  readonly name: string;
  /** Relative to the repository's top, `.` for the top itself, no trailing slash. */
  readonly dir: string;
  /** The place of `dir` in the file; absent for a discovered root. */
  readonly dirAt?: Place;
  readonly workspace: string;
  /** Exact: `1.11.4`. */
  readonly terraformVersion?: string;
  /** Patterns relative to `dir`, `!` negates; absent for the default rule. */
  readonly whenModified?: readonly string[];
  /** When false, merges do not deploy the root, but a person may. */
  readonly enabled: boolean;
  /** Names of roots that a merge deploys before this one. */
  readonly dependsOn?: readonly string[];
  /** Roots of lower groups go first; absent: 0. */
  readonly executionOrderGroup?: number;
  readonly planReview?: PlanReviewPolicy;
  /** Relative to `dir`. */
  readonly varFiles: readonly string[];
  /** The same, of those that the revision has. */
  readonly varFilesIfThere?: readonly string[];
  readonly workflow?: string;
  /** Why it cannot be deployed as it is declared. */
  readonly refused?: string;
  readonly distribution?: Root['distribution'];
  readonly queue?: Root['queue'];
  readonly onFailure?: Root['onFailure'];
  readonly timeoutMs?: TimeoutMs;
  /** The name of a pool, or a label of one. */
  readonly hosts?: string;
}

export interface RepositoryConfig {
  readonly source: 'nereid.yaml' | 'atlantis.yaml' | 'none';
  readonly roots: readonly RootConfig[];
  readonly autodiscover: Autodiscover;
}

export interface Autodiscover {
  /** `auto`: only where the file declares no roots. `enabled`: in addition to those declared. */
  readonly mode: 'auto' | 'enabled' | 'disabled';
  /** Directories, as patterns relative to the repository's top. */
  readonly ignore: readonly string[];
}

export type RepositoryConfigRead =
  | { readonly kind: 'ok'; readonly config: RepositoryConfig; readonly warnings: readonly Problem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** The configuration of a repository that has neither file: every root is discovered. */
export const NO_REPOSITORY_CONFIG: RepositoryConfig = {
  source: 'none',
  roots: [],
  autodiscover: { mode: 'auto', ignore: [] },
};
