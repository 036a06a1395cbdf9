/**
 * Changed directories that look like roots and have no backend: a script writes it, or copies it from another directory. Somebody who
 * merges a change there would wait for a deployment in vain.
 */
import { directoryOf } from '../paths.ts';
import type { RepositoryRoots } from '../repository-roots.ts';
import { listDirectories } from './list-directories.ts';
import { isOfAModule } from './of-a-module.ts';
import { createIsUnclaimed } from './unclaimed.ts';

/** One sentence; undefined where there are none. Hostile. */
export function describeWithoutBackend(found: RepositoryRoots, changed: readonly string[]): string | undefined {
  const { graphs } = found;
  const isUnclaimed = createIsUnclaimed(found);
  const all = [graphs.terraform, graphs.tofu];
  const dirs = [...new Set(changed.map(directoryOf))].filter(
    (dir) =>
      configuresProvider(dir, found) &&
      !all.some(({ backends, used }) => backends.has(dir) || used.has(dir)) &&
      !isOfAModule(dir) &&
      isUnclaimed(dir),
  );
  return dirs.length === 0 ? undefined : sentence(dirs.toSorted(), found);
}

function configuresProvider(dir: string, { graphs }: RepositoryRoots): boolean {
  return [graphs.terraform, graphs.tofu].some(
    ({ uses }) => uses.get(dir)?.files.some(([, { hasProvider }]) => hasProvider === true) ?? false,
  );
}

function sentence(dirs: readonly string[], { isDiscovering, file }: RepositoryRoots): string {
  const [configure, are, it] =
    dirs.length > 1 ? ['configure', 'they are no roots', 'them'] : ['configures', 'it is no root', 'it'];
  return (
    `${listDirectories(dirs)} ${configure} providers without a backend, so ${are}, and nothing of ${it} is deployed: ` +
    `commit the backend, or list ${it} in ${file}, with ${isDiscovering ? 'autodiscover.mode: enabled and ' : ''}a workflow that writes one`
  );
}
