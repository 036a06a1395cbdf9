import { directoriesOf, type RootPlace } from '@nereid/config';
import type { Repository, Root } from '@nereid/domain/root';
import type { RootPlaceId } from '@nereid/storage';

/** How rules know a root. */
export function placeOf(root: Pick<Root, 'name' | 'dir' | 'realDir'>): RootPlace {
  return { name: root.name, dirs: directoriesOf(root) };
}

/** How storage knows where a root is. */
export function placeIdOf(
  repository: Pick<Repository, 'owner' | 'name'>,
  { dir, realDir = dir, workspace }: Root,
): RootPlaceId {
  return { repository, dir: realDir, workspace };
}
