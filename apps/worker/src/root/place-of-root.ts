import type { Repository, Root } from '@nereid/contracts';
import type { RootPlaceId } from '@nereid/storage';

export function placeOfRoot(
  repository: Pick<Repository, 'owner' | 'name'>,
  { dir, realDir = dir, workspace }: Root,
): RootPlaceId {
  return { repository, dir: realDir, workspace };
}
