/**
 * Which roots of one revision wait for which: for those that they name, also through roots that are not deployed now, and for all
 * of the nearest lower group that is deployed. Everything here takes a time that grows with the number of roots and names.
 */
import type { Ordering, RolloutRoot, RootOrder } from '@nereid/contracts';

/** A root that is deployed, as far as its order does not say. */
export type OrderedRoot = Pick<RolloutRoot, 'rootName' | 'deploymentId' | 'of'>;

/** The roots of a rollout, those in between included; undefined when none of the deployed ones waits for another. */
export function planRollout(ordering: Ordering, deployed: readonly OrderedRoot[]): readonly RolloutRoot[] | undefined {
  const orders = new Map(ordering.map((order) => [order.rootName, order]));
  const names = new Set(deployed.map(({ rootName }) => rootName));
  const between = leadingTo(names, ordering);
  const isPart = (name: string) => names.has(name) || between.has(name);
  const orderOf = (rootName: string): RootOrder => {
    const { group = 0, dependsOn = [] } = orders.get(rootName) ?? {};
    return { rootName, group, dependsOn: dependsOn.filter((name) => name !== rootName && isPart(name)) };
  };
  const own = deployed.map((root) => ({ ...orderOf(root.rootName), ...root }));
  const isOrdered = own.some(({ dependsOn, group }) => dependsOn.length > 0 || group !== own[0]?.group);
  return isOrdered ? [...own, ...[...between].map(orderOf)] : undefined;
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
  readonly root: (rootName: string) => RolloutRoot | undefined;
  /** The deployed roots for which this one waits, but not those for which they wait in turn. */
  readonly waitsFor: (rootName: string) => readonly RolloutRoot[];
  /** The deployed roots that wait for this one, not through another deployed one. */
  readonly isAwaitedBy: (rootName: string) => readonly RolloutRoot[];
}

export function createRolloutGraph(roots: readonly RolloutRoot[]): RolloutGraph {
  const byName = new Map(roots.map((root) => [root.rootName, root]));
  const dependents = dependentsByName(roots);
  const groups = Map.groupBy(roots.filter(isDeployed), ({ group }) => group);
  const order = [...groups.keys()].toSorted((one, other) => one - other);
  const groupBeside = (rootName: string, step: -1 | 1): readonly RolloutRoot[] => {
    const at = order.indexOf(byName.get(rootName)?.group ?? Number.NaN);
    return (at === -1 ? undefined : groups.get(order[at + step] ?? Number.NaN)) ?? [];
  };
  const reach = (rootName: string, next: (name: string) => readonly string[]) =>
    nearestDeployed(rootName, next).flatMap((name) => byName.get(name) ?? []);
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
  return {
    root: (rootName) => byName.get(rootName),
    waitsFor: (rootName) => {
      const named = reach(rootName, (name) => byName.get(name)?.dependsOn ?? []);
      return [...new Set([...named.toReversed(), ...groupBeside(rootName, -1)])];
    },
    isAwaitedBy: (rootName) => {
      const naming = reach(rootName, (name) => dependents.get(name) ?? []);
      return [...new Set([...naming, ...groupBeside(rootName, 1)])];
    },
  };
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
