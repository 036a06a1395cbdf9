import type { Problems } from '@nereid/discovery';
import { LRUCache } from 'lru-cache';

/** Revisions that were refused for what they take, so that nothing computes for them again and again. */
export type RefusedRevisions = LRUCache<string, Problems>;

/** More than are pushed in that time. */
const REFUSED_LIMIT = 10_000;

/** Until then, only **Re-run** tries again. The reconciler does it afterwards: a larger machine may have come meanwhile. */
const REFUSED_MS = 24 * 3_600_000;

export function createRefusedRevisions(): RefusedRevisions {
  return new LRUCache({ max: REFUSED_LIMIT, ttl: REFUSED_MS });
}
