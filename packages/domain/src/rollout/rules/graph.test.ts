import { describe, expect, test } from '@jest/globals';
import type { Ordering } from '../model.ts';
import fc from 'fast-check';
import { createRolloutGraph, inRolloutOrder, isOrdered, planRollout } from './graph.ts';

function order(rootName: string, dependsOn: readonly string[], group = 0) {
  return { rootName, group, dependsOn };
}

function deployed(...names: readonly string[]) {
  return names.map((rootName) => ({ rootName, deploymentId: `id of ${rootName}` }));
}

function graphOf(ordering: Ordering, ...names: readonly string[]) {
  const graph = createRolloutGraph(planRollout(ordering, deployed(...names)));
  const namesOf = (roots: readonly { readonly rootName: string }[]) => roots.map(({ rootName }) => rootName);
  return {
    waitsFor: (name: string) => namesOf(graph.waitsFor(name)),
    isAwaitedBy: (name: string) => namesOf(graph.isAwaitedBy(name)),
  };
}

describe('the roots of one revision', () => {
  const CHAIN = [order('app', ['cluster']), order('cluster', ['network'])];

  test('wait for those that they name', () => {
    const graph = graphOf(CHAIN, 'app', 'cluster', 'network');

    expect(graph.waitsFor('app')).toEqual(['cluster']);
    expect(graph.waitsFor('cluster')).toEqual(['network']);
    expect(graph.waitsFor('network')).toEqual([]);
    expect(graph.isAwaitedBy('network')).toEqual(['cluster']);
  });

  test('wait through roots that are not deployed', () => {
    const graph = graphOf(CHAIN, 'app', 'network');

    expect(graph.waitsFor('app')).toEqual(['network']);
    expect(graph.isAwaitedBy('network')).toEqual(['app']);
    expect(planRollout(CHAIN, deployed('app', 'network'))).toContainEqual(order('cluster', ['network']));
  });

  test('wait for the whole nearest lower group that is deployed', () => {
    const groups = [order('a', [], -1), order('b', [], 1), order('c', [], 1), order('d', [], 5)];
    const graph = graphOf(groups, 'a', 'b', 'c', 'd');

    expect(graph.waitsFor('d')).toEqual(['b', 'c']);
    expect(graph.waitsFor('b')).toEqual(['a']);
    expect(graph.isAwaitedBy('a')).toEqual(['b', 'c']);
    expect(graphOf(groups, 'a', 'd').waitsFor('d')).toEqual(['a']);
  });

  test('wait for one that they name and that is in the lower group only once', () => {
    expect(graphOf([order('b', ['a'], 1)], 'a', 'b').waitsFor('b')).toEqual(['a']);
  });

  test.each<[string, Ordering, readonly string[]]>([
    ['nothing is declared', [], ['a', 'b']],
    ['only one is deployed', CHAIN, ['app']],
    ['none leads to another', CHAIN, ['app', 'dns']],
    ['all are in one group', [order('a', [], 2), order('b', [], 2)], ['a', 'b']],
  ])('go side by side where %s', (_what, ordering, names) => {
    const planned = planRollout(ordering, deployed(...names));

    expect(isOrdered(planned)).toBe(false);
    expect(planned.map(({ rootName }) => rootName)).toEqual(names);
  });

  test('may have names that every object has', () => {
    const graph = graphOf([order('constructor', ['toString'])], 'constructor', 'toString', 'valueOf');

    expect(graph.waitsFor('constructor')).toEqual(['toString']);
    expect(graph.waitsFor('valueOf')).toEqual([]);
  });

  test('four hundred roots in two groups take no edge for each pair', () => {
    const names = Array.from({ length: 400 }, (_, n) => `r${n}`);
    const planned = planRollout(
      names.map((name, n) => order(name, [], n % 2)),
      deployed(...names),
    );

    expect(JSON.stringify(planned).length).toBeLessThan(400 * 100);
    expect(createRolloutGraph(planned).waitsFor('r1')).toHaveLength(200);
  });
});

test('a list of roots begins with those that go before others, and keeps its order otherwise', () => {
  const chain = [order('app', ['cluster']), order('cluster', ['network']), order('last', [], 1)];

  expect(inRolloutOrder(chain, ['last', 'dns', 'app', 'network'])).toEqual(['dns', 'network', 'app', 'last']);
  expect(inRolloutOrder(chain, ['app', 'cluster', 'dns', 'network'])).toEqual(['network', 'cluster', 'app', 'dns']);
  expect(inRolloutOrder([], ['b', 'a'])).toEqual(['b', 'a']);
});

test('whoever is waited for knows who waits, and nobody waits for oneself through others', () => {
  const names = Array.from({ length: 12 }, (_, n) => `r${n}`);
  // A root depends on earlier ones only, whose groups are no later: what the rules of the file let through.
  const ordering = fc.array(fc.record({ group: fc.nat(3), dependsOn: fc.array(fc.nat(11), { maxLength: 3 }) }), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(ordering, fc.subarray(names, { minLength: 2 }), (orders, chosen) => {
      const groups = orders.map(({ group }) => group).toSorted();
      const declared = orders.map(({ dependsOn }, n) =>
        order(
          `r${n}`,
          dependsOn.filter((m) => m < n).map((m) => `r${m}`),
          groups[n],
        ),
      );
      const graph = graphOf(declared, ...chosen);
      const done = new Set<string>();
      const ready = () =>
        chosen.filter((name) => !done.has(name) && graph.waitsFor(name).every((one) => done.has(one)));
      for (let next = ready(); next.length > 0; next = ready()) for (const name of next) done.add(name);

      expect([...done].toSorted()).toEqual(chosen.toSorted());
      for (const name of chosen)
        for (const before of graph.waitsFor(name)) expect(graph.isAwaitedBy(before)).toContain(name);
    }),
    { seed: 7 },
  );
});
