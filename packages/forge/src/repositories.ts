import type { Repository } from '@nereid/domain/root';
import type { Contributors } from './people/contributors.ts';
import type { Person } from './people/person.ts';

export interface InstalledRepository extends Repository {
  readonly defaultBranch: string;
}

/** The commits are 40 hex digits, all zeros where there was no branch. */
export interface BranchMove {
  readonly before: string;
  readonly after: string;
  /** ISO 8601, to the second. */
  readonly at: string;
  /** Who pushed or merged; undefined for somebody whom the forge does not know any more. */
  readonly by: Person | undefined;
  /** Whether a pull request was merged into it. */
  readonly isMerge: boolean;
}

/** The moves of a branch that were read, the newest first. */
export interface ReadMoves {
  readonly moves: readonly BranchMove[];
  /** Whether the forge has no older ones. */
  readonly isWhole: boolean;
}

/** The newest first, until the caller has enough of them, which it is asked after each page. */
export type MovesOf = (
  repository: Repository,
  branch: string,
  areEnough: (read: ReadMoves) => boolean | Promise<boolean>,
) => Promise<readonly BranchMove[]>;

export interface Repositories {
  /** All unarchived repositories in which Nereid may act. */
  all(): Promise<readonly InstalledRepository[]>;
  /** Those in which Nereid acts under the same number as in this one. */
  allBeside(repository: Repository): Promise<readonly InstalledRepository[]>;
  /** The number under which Nereid acts in a repository; undefined where it may not. */
  installationOf(repository: Pick<Repository, 'owner' | 'name'>): Promise<number | undefined>;
  defaultBranch(repository: Repository): Promise<string>;
  /** Whether everybody in the world may see it. An answer serves for five minutes. */
  isPublic(repository: Repository): Promise<boolean>;
  /** The last time that a branch of this name was pushed, merged into, created or deleted; undefined when none is known. */
  lastMove(repository: Repository, branch: string): Promise<BranchMove | undefined>;
  /** Throws `ForgeRefusedError` where the forge keeps no such record. */
  readonly movesOf: MovesOf;
  /** Everybody who pushed a branch of this name, or merged into it, since it was last created. */
  pushersOf(repository: Repository, branch: string): Promise<Contributors>;
}
