/** Where records are kept. Nowhere else is one of these keys put together. */
import type { Repository } from '@nereid/contracts';

/** `deployments/<owner>/<repo>/<root>/`: everything stored about one lane. */
export function lanePrefix(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `deployments/${repository.owner}/${repository.name}/${rootName}/`;
}

export function laneKey(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${lanePrefix(repository, rootName)}lane.json`;
}

/** Not below `deployments/`, where every name is that of a root. */
export function repositoryKey(repository: Pick<Repository, 'owner' | 'name'>): string {
  return `repositories/${repository.owner}/${repository.name}.json`;
}

export const HOSTS_PREFIX = 'hosts/';

export function hostKey(hostId: string): string {
  return `${HOSTS_PREFIX}${hostId}.json`;
}

/** Sorted by time: `<ended at>-<id>.json`, the time in ISO 8601's basic form, because `:` is in no key. */
export function deploymentKey(lane: string, endedAt: string, id: string): string {
  return `${lane}${timeInKey(new Date(endedAt))}-${id}.json`;
}

/** `20261121T050526123Z`. */
export function timeInKey(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
