import type { Repository } from '@nereid/domain/root';

export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly merged: boolean;
  readonly draft: boolean;
  readonly title: string;
  /** Login. */
  readonly author: string;
  /** The forge's id of the author; absent for a deleted account. */
  readonly authorId?: number | undefined;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly headSha: string;
  readonly headBranch: string;
  readonly baseSha: string;
  readonly baseBranch: string;
  /** Of the repository. */
  readonly defaultBranch: string;
  /** Whether the head is in another repository, or in one that is gone. */
  readonly fromFork: boolean;
  /** Null while the forge has not worked it out yet. */
  readonly mergeable: boolean | null;
}

/** A pull request as a list shows it. */
export type ListedPullRequest = Pick<PullRequest, 'number' | 'draft' | 'updatedAt' | 'headSha' | 'fromFork'>;

export interface PullRequests {
  /** Throws `ForgeRefusedError` with status 404 when there is no pull request with this number. */
  get(repository: Repository, number: number): Promise<PullRequest>;
  /** The open ones that are to be merged into the branch, or into any; those that were updated last first; at most 1,000. */
  open(repository: Repository, baseBranch: string | undefined): Promise<readonly ListedPullRequest[]>;
}
