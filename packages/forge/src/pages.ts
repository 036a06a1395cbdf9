import type { Repository } from '@nereid/domain/root';

type Named = Pick<Repository, 'owner' | 'name'>;

/** Addresses of the forge's own pages. */
export interface Pages {
  commit(repository: Named, sha: string): string;
  pullRequest(repository: Named, number: number): string;
  /** A status, by the number that the forge gave it. */
  status(repository: Named, id: number): string;
  /** A file as it is in a revision. */
  file(repository: Named, sha: string, path: string): string;
}
