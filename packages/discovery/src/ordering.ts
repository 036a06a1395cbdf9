import { groupOf } from '@nereid/config';
import type { Ordering } from '@nereid/domain/rollout';
import type { PlacedRoot } from './placed-root.ts';

/** The declared order of a revision's roots, modified or not: one may wait for another through those in between. */
export function orderingOf(roots: readonly PlacedRoot[]): Ordering {
  return roots
    .map(({ config }) => ({ rootName: config.name, group: groupOf(config), dependsOn: config.dependsOn ?? [] }))
    .filter(({ group, dependsOn }) => group !== 0 || dependsOn.length > 0);
}
