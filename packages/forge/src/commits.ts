import type { Comparison } from '@nereid/domain/lane';
import type { Repository } from '@nereid/domain/root';
import type { Contributors } from './people/contributors.ts';

export interface CommitContributors extends Contributors {
  /** The commits whose people are among them: also those that came with the same pull requests. */
  readonly shas: readonly string[];
  /** The branches into which a pull request with it was merged. */
  readonly mergedInto: readonly string[];
  /** The pull requests that have it, merged or not. */
  readonly pullRequests: readonly BringingPullRequest[];
}

/** A pull request that brought a commit, or would bring it. */
export interface BringingPullRequest {
  readonly number: number;
  /** Its branch and the last commit that it had, also after they were deleted. */
  readonly headBranch: string;
  readonly headSha: string;
  /** The commit of the base branch that it was compared with last. */
  readonly baseSha: string;
  /** Whether the branch is in another repository, or in one that is gone. */
  readonly fromFork: boolean;
}

export interface Commits {
  /**
   * The authors, committers and co-authors of a revision, of the heads that it merged, and of the pull requests that brought
   * it; also the authors and mergers of these, and who put them into a merge queue. Throws `ForgeRefusedError` with status 422
   * when there is no such commit.
   */
  contributors(repository: Repository, sha: string): Promise<CommitContributors>;
  /** The numbers of the pull requests that brought a commit, or would bring it. */
  pullRequests(repository: Repository, sha: string): Promise<readonly number[]>;
  /** Compares `head` with `base`, each a commit or a branch; a revision that is gone counts as diverged. */
  compare(repository: Repository, base: string, head: string): Promise<Comparison>;
}
