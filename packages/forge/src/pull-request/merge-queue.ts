import type { Repository } from '@nereid/domain/root';

/** Pull requests that are merged together, once the checks of their merge are fine. */
export interface MergeGroup {
  readonly branch: string;
  readonly headSha: string;
  /** The number of its last pull request. */
  readonly upTo: number;
}

export interface MergeQueue {
  /** The groups that wait to be merged into the base. */
  groups(repository: Repository, baseBranch: string): Promise<readonly MergeGroup[]>;
}
