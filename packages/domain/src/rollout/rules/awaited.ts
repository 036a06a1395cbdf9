/**
 * For which roots each root of a rollout waits, as pages and check runs name them. A thousand roots may wait for a thousand others:
 * what is said of each is bounded, and the roots of a group are listed once for all that wait for them.
 */
import type { Rollout, RolloutRoot } from '../model.ts';
import { createRolloutGraph } from './graph.ts';

/** As many as a page shows of each. */
export const AWAITED_NAMED = 50;

export interface RootsBefore {
  /** The first of them, at most `AWAITED_NAMED`. */
  readonly named: readonly string[];
  /** How many there are. */
  readonly count: number;
}

/** Returns for which roots each root waits, of those that still count. */
export function awaitedIn(
  roots: readonly RolloutRoot[],
  counts: (root: RolloutRoot) => boolean,
): (rootName: string) => RootsBefore {
  const { names, groupBefore } = createRolloutGraph(roots);
  const counting = new Map(roots.filter(counts).map((root) => [root.rootName, root]));
  const groups = new Map<readonly RolloutRoot[], readonly string[]>();
  const countingIn = (group: readonly RolloutRoot[]): readonly string[] => {
    const found = groups.get(group) ?? namesOf(group).filter((name) => counting.has(name));
    groups.set(group, found);
    return found;
  };
  return (rootName) => {
    const group = groupBefore(rootName);
    const inGroup = countingIn(group);
    const own = names(rootName).flatMap((name) => counting.get(name) ?? []);
    const beside = own.filter((root) => root.group !== group[0]?.group);
    const first = new Set([...namesOf(own), ...inGroup.slice(0, AWAITED_NAMED)]);
    return { named: [...first].slice(0, AWAITED_NAMED), count: beside.length + inGroup.length };
  };
}

/** The same for all rollouts of one revision: of each root, its newest one says it. `counts` is asked for the name of a root. */
export function awaitedByRoot(
  rollouts: readonly Pick<Rollout, 'orderedAt' | 'roots'>[],
  counts: (rootName: string) => boolean,
): ReadonlyMap<string, RootsBefore> {
  const oldestFirst = rollouts.toSorted((one, other) => one.orderedAt.localeCompare(other.orderedAt));
  const awaited = oldestFirst.flatMap(({ roots }) => {
    const awaitedBy = awaitedIn(roots, ({ rootName }) => counts(rootName));
    const deployed = roots.filter(({ deploymentId, of }) => deploymentId !== undefined && of === undefined);
    return deployed.map(({ rootName }) => [rootName, awaitedBy(rootName)] as const);
  });
  return new Map(awaited);
}

function namesOf(roots: readonly RolloutRoot[]): readonly string[] {
  return roots.map(({ rootName }) => rootName);
}
