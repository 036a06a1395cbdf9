/**
 * Which roots of one revision wait for which: for those that they name, also through roots that are not deployed now, and for all
 * of the nearest lower group that is deployed. Everything here takes a time that grows with the number of roots and names.
 */
import type { Ordering, RolloutRoot, RootOrder } from '../model.ts';

/** A root that is deployed, as far as its order does not say. */
export type OrderedRoot = Pick<RolloutRoot, 'rootName' | 'deploymentId' | 'of'>;

/** The roots of a rollout; those in between are included if one of the deployed ones waits for another. */
export function planRollout(ordering: Ordering, deployed: readonly OrderedRoot[]): readonly RolloutRoot[] {
  const orders = new Map(ordering.map((order) => [order.rootName, order]));
  const names = new Set(deployed.map(({ rootName }) => rootName));
  const between = leadingTo(names, ordering);
  const isPart = (name: string) => names.has(name) || between.has(name);
  const orderOf = (rootName: string): RootOrder => {
    const { group = 0, dependsOn = [] } = orders.get(rootName) ?? {};
    return { rootName, group, dependsOn: dependsOn.filter((name) => name !== rootName && isPart(name)) };
  };
  const own = deployed.map((root) => ({ ...orderOf(root.rootName), ...root }));
  return isOrdered(own) ? [...own, ...[...between].map(orderOf)] : own;
}

/** Whether one of the roots waits for another. */
export function isOrdered(roots: readonly RolloutRoot[]): boolean {
  return roots.some(({ dependsOn, group }) => dependsOn.length > 0 || group !== roots[0]?.group);
}

/** The names with those first for which others wait; otherwise in the given order. */
export function inRolloutOrder(ordering: Ordering, rootNames: readonly string[]): readonly string[] {
  const planned = planRollout(
    ordering,
    rootNames.map((rootName) => ({ rootName, deploymentId: rootName })),
  );
  if (!isOrdered(planned)) return rootNames;
  const graph = createRolloutGraph(planned);
  const groups = new Map(planned.map(({ rootName, group }) => [rootName, group]));
  const groupOf = (name: string) => groups.get(name) ?? 0;
  const sorted = new Set<string>();
  // Groups are in order then, and each name goes after those that it names.
  for (const first of rootNames.toSorted((one, other) => groupOf(one) - groupOf(other))) {
    const stack = [{ name: first, left: [...graph.names(first)] }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const before = top.left.pop();
      if (before === undefined) sorted.add(stack.pop()?.name ?? '');
      else if (!sorted.has(before)) stack.push({ name: before, left: [...graph.names(before)] });
    }
  }
  return [...sorted];
}

/** Roots that are not deployed, but depend on one that is, perhaps through others. */
function leadingTo(deployed: ReadonlySet<string>, ordering: Ordering): ReadonlySet<string> {
  const dependents = dependentsByName(ordering);
  const found = new Set<string>();
  const left = [...deployed];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    for (const dependent of dependents.get(name) ?? []) {
      if (deployed.has(dependent) || found.has(dependent)) continue;
      found.add(dependent);
      left.push(dependent);
    }
  }
  return found;
}

export interface RolloutGraph {
  /** The deployed roots that this one names, also through others; not those of lower groups. */
  readonly names: (rootName: string) => readonly string[];
  /** The deployed roots of the nearest lower group: one list for all roots that wait for it. */
  readonly groupBefore: (rootName: string) => readonly RolloutRoot[];
  /** The deployed roots for which this one waits, but not those for which they wait in turn. */
  readonly waitsFor: (rootName: string) => readonly RolloutRoot[];
  /** The deployed roots that wait for this one, not through another deployed one. */
  readonly isAwaitedBy: (rootName: string) => readonly RolloutRoot[];
}

const NONE: readonly RolloutRoot[] = [];

export function createRolloutGraph(roots: readonly RolloutRoot[]): RolloutGraph {
  const byName = new Map(roots.map((root) => [root.rootName, root]));
  const dependents = dependentsByName(roots);
  const groups = byGroup(roots.filter(isDeployed));
  const order = [...groups.keys()].toSorted((one, other) => one - other);
  const places = new Map(order.map((group, place) => [group, place]));
  const groupBeside = (rootName: string, step: -1 | 1): readonly RolloutRoot[] => {
    const place = places.get(byName.get(rootName)?.group ?? Number.NaN) ?? Number.NaN;
    return groups.get(order[place + step] ?? Number.NaN) ?? NONE;
  };
  const nearestDeployed = (from: string, next: (name: string) => readonly string[]): readonly string[] => {
    const seen = new Set([from]);
    const found: string[] = [];
    const left = [...next(from)];
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const root = byName.get(name);
      if (seen.has(name) || root === undefined) continue;
      seen.add(name);
      if (isDeployed(root)) found.push(name);
      else left.push(...next(name));
    }
    return found;
  };
  const rootsOf = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? []);
  const names = (rootName: string) =>
    nearestDeployed(rootName, (name) => byName.get(name)?.dependsOn ?? []).toReversed();
  const groupBefore = (rootName: string) => groupBeside(rootName, -1);
  return {
    names,
    groupBefore,
    waitsFor: (rootName) => [...new Set([...rootsOf(names(rootName)), ...groupBefore(rootName)])],
    isAwaitedBy: (rootName) => {
      const naming = nearestDeployed(rootName, (name) => dependents.get(name) ?? []);
      return [...new Set([...rootsOf(naming), ...groupBeside(rootName, 1)])];
    },
  };
}

function byGroup(roots: readonly RolloutRoot[]): ReadonlyMap<number, readonly RolloutRoot[]> {
  const groups = new Map<number, RolloutRoot[]>();
  for (const root of roots) {
    const known = groups.get(root.group);
    if (known === undefined) groups.set(root.group, [root]);
    else known.push(root);
  }
  return groups;
}

function dependentsByName(ordering: Ordering): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const { rootName, dependsOn } of ordering) {
    for (const name of dependsOn) {
      const known = dependents.get(name);
      if (known === undefined) dependents.set(name, [rootName]);
      else known.push(rootName);
    }
  }
  return dependents;
}

function isDeployed({ deploymentId }: RolloutRoot): boolean {
  return deploymentId !== undefined;
}
