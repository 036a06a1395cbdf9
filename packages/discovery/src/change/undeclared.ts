/**
 * Changed directories that have a backend and are no roots: the repository's file lists others, or another program would load their
 * files. Somebody who adds one, and forgets the list, would wait for it in vain.
 */
import { directoryOf } from '../paths.ts';
import { listDirectories } from './list-directories.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { createIsUnclaimed } from './unclaimed.ts';

/** One sentence; undefined where there are none. Hostile. */
export function describeUndeclared(found: RepositoryRoots, changed: readonly string[]): string | undefined {
  const { graphs } = found;
  const isUnclaimed = createIsUnclaimed(found);
  const all = [graphs.terraform, graphs.tofu];
  const dirs = [...new Set(changed.map(directoryOf))].filter(
    (dir) =>
      all.some(({ backends }) => backends.has(dir)) && !all.some(({ used }) => used.has(dir)) && isUnclaimed(dir),
  );
  return dirs.length === 0 ? undefined : sentence(dirs.toSorted(), found);
}

function sentence(dirs: readonly string[], { isDiscovering, file }: RepositoryRoots): string {
  const are = dirs.length > 1 ? 'have backends and are no roots' : 'has a backend and is no root';
  const remedy = isDiscovering
    ? 'a root needs the backend in files that its program loads; for .tofu, that is distribution: tofu'
    : `list ${dirs.length > 1 ? 'them' : 'it'} in ${file}, or in its autodiscover.ignore`;
  return `${listDirectories(dirs)} ${are}, so nothing of it is deployed: ${remedy}`;
}
