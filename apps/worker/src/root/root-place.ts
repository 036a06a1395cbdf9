import { directoriesOf, type RootPlace } from '@nereid/config';
import type { Root } from '@nereid/contracts';

/** How rules know a root. */
export function placeOf(root: Pick<Root, 'name' | 'dir' | 'realDir'>): RootPlace {
  return { name: root.name, dirs: directoriesOf(root) };
}
