/** Where records are kept. Nowhere else is one of these keys put together. */
import type { Repository } from '@nereid/contracts';

/** `deployments/<owner>/<repo>/<root>/`: the deployments of one lane that ended. */
export function deploymentsPrefix(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `deployments/${repository.owner}/${repository.name}/${rootName}/`;
}

export function laneKey(repository: Pick<Repository, 'owner' | 'name'>, rootName: string): string {
  return `${LANES_PREFIX}${repository.owner}/${repository.name}/${rootName}.json`;
}

/** Lanes alone: a list of them lists nothing else. */
export const LANES_PREFIX = 'lanes/';

/** The inverse of `laneKey`; undefined when the key is not one of a lane. */
export function parseLaneKey(key: string): { owner: string; name: string; rootName: string } | undefined {
  const match = /^lanes\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<rootName>[^/]+)\.json$/.exec(key);
  const { owner, name, rootName } = match?.groups ?? {};
  return owner && name && rootName ? { owner, name, rootName } : undefined;
}

/** Not below `deployments/`, where every name is that of a root. */
export function repositoryKey(repository: Pick<Repository, 'owner' | 'name'>): string {
  return `repositories/${repository.owner}/${repository.name}.json`;
}

export const HOSTS_PREFIX = 'hosts/';

export function hostKey(hostId: string): string {
  return `${HOSTS_PREFIX}${hostId}.json`;
}

/** Not below `deployments/`, either: it is asked for where no more is known than the deployment's id. */
export function begunKey(deploymentId: string): string {
  return `begun/${deploymentId}`;
}

/** Sorted by time: `<ended at>-<id>.json`, the time in ISO 8601's basic form, because `:` is in no key. */
export function deploymentKey(lane: string, endedAt: string, id: string): string {
  return `${lane}${timeInKey(new Date(endedAt))}-${id}.json`;
}

/** `20261121T050526123Z`. */
export function timeInKey(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
