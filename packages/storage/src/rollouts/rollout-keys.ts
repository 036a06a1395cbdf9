/** Where rollouts are kept. No other file builds these keys. */
import type { Repository } from '@nereid/domain/root';

/** An id is `<sha>/<source>`. */
export function rolloutKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `${ROLLOUTS_PREFIX}${owner}/${name}/${id}.json`;
}

/** Those of one revision. */
export function rolloutsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, sha: string): string {
  return `${ROLLOUTS_PREFIX}${owner}/${name}/${sha}/`;
}

/** Only rollouts are below it, without the ends of their roots. */
export const ROLLOUTS_PREFIX = 'rollouts/';

/** The inverse of `rolloutKey`; undefined when the key is not the key of a rollout. */
export function parseRolloutKey(key: string): { owner: string; name: string; id: string } | undefined {
  const match = /^rollouts\/(?<owner>[^/]+)\/(?<name>[^/]+)\/(?<id>[^/]+\/[^/]+)\.json$/.exec(key);
  const { owner, name, id } = match?.groups ?? {};
  return owner && name && id ? { owner, name, id } : undefined;
}

export function rolloutEndsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `rollout-ends/${owner}/${name}/${id}/`;
}

export function rolloutEndKey(
  repository: Pick<Repository, 'owner' | 'name'>,
  id: string,
  rootName: string,
  how: string,
): string {
  return `${rolloutEndsPrefix(repository, id)}${rootName}/${how}`;
}

/** The waves of a rollout that somebody skipped. */
export function rolloutSkipsPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `rollout-skips/${owner}/${name}/${id}/`;
}

export function rolloutSkipKey(repository: Pick<Repository, 'owner' | 'name'>, id: string, wave: number): string {
  return `${rolloutSkipsPrefix(repository, id)}${wave}.json`;
}

/** The results of the checks of its waves. */
export function rolloutChecksPrefix({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `rollout-checks/${owner}/${name}/${id}/`;
}

export function rolloutChecksKey(repository: Pick<Repository, 'owner' | 'name'>, id: string, wave: number): string {
  return `${rolloutChecksPrefix(repository, id)}${wave}.json`;
}

/** Only rollouts whose checks are asked are below it. */
export const CHECKED_ROLLOUTS_PREFIX = 'checked-rollouts/';

export function checkedRolloutKey({ owner, name }: Pick<Repository, 'owner' | 'name'>, id: string): string {
  return `${CHECKED_ROLLOUTS_PREFIX}${owner}/${name}/${id}.json`;
}
