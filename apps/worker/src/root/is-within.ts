import type { Repository } from '@nereid/domain/root';
import { RevisionGoneError } from '@nereid/git';
import type { RevisionTools } from './revision-tools.ts';

/** Whether a commit is another one or an ancestor of it; false for a commit that is gone. */
export async function isWithin(
  { context: { mirrors }, signal }: RevisionTools,
  repository: Repository,
  sha: string,
  head: string,
): Promise<boolean> {
  try {
    return await mirrors.isAncestor(repository, sha, head, signal);
  } catch (error) {
    if (error instanceof RevisionGoneError) return false;
    throw error;
  }
}
