import type { Repository } from '@nereid/contracts';
import type { Branch } from '../repositories.ts';

export interface MergeQueue {
  /** The branches of the groups that wait to be merged into the base. */
  groups(repository: Repository, baseBranch: string): Promise<readonly Branch[]>;
}
