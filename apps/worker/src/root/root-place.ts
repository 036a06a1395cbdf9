import type { Repository, Root } from '@nereid/domain/root';
import type { RootPlaceId } from '@nereid/storage';

/** How storage knows where a root is. */
export function placeIdOf(
  repository: Pick<Repository, 'owner' | 'name'>,
  { dir, realDir = dir, workspace }: Root,
): RootPlaceId {
  return { repository, dir: realDir, workspace };
}
