import { createPatternCompiler } from '../patterns/when-modified.ts';
import type { RepositoryRoots } from '../repository-roots.ts';

/** Whether a directory belongs to no root, although the repository's file does not ignore it. */
export function createIsUnclaimed({
  roots,
  autodiscover,
}: Pick<RepositoryRoots, 'roots' | 'autodiscover'>): (dir: string) => boolean {
  const places = new Set(roots.map(({ place }) => place));
  const isIgnored = createPatternCompiler()('.', autodiscover.ignore);
  return (dir) => !places.has(dir) && !isIgnored(dir);
}
