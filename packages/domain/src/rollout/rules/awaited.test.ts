import { describe, expect, test } from '@jest/globals';
import { AWAITED_NAMED, awaitedByRoot, awaitedIn } from './awaited.ts';
import { createRolloutGraph, planRollout } from './graph.ts';

const order = (rootName: string, dependsOn: readonly string[] = [], group = 0) => ({ rootName, dependsOn, group });
const deployed = (...names: readonly string[]) =>
  names.map((rootName) => ({ rootName, deploymentId: `of-${rootName}` }));
const all = () => true;

describe('the roots for which a root waits', () => {
  test('are those that it names, and then the rest of the group before its own, each of them once', () => {
    const ordering = [order('app', ['b', 'far'], 2), order('a', [], 1), order('b', [], 1), order('far')];
    const awaited = awaitedIn(planRollout(ordering, deployed('app', 'a', 'b', 'far')), all);

    expect(awaited('app')).toEqual({ named: ['b', 'far', 'a'], count: 3 });
    expect(awaited('a')).toEqual({ named: ['far'], count: 1 });
    expect(awaited('far')).toEqual({ named: [], count: 0 });
  });

  test('are those that still count', () => {
    const ordering = [order('app', ['b', 'far'], 2), order('a', [], 1), order('b', [], 1), order('far')];
    const roots = planRollout(ordering, deployed('app', 'a', 'b', 'far'));
    const awaited = awaitedIn(roots, ({ rootName }) => rootName === 'a' || rootName === 'far');

    expect(awaited('app')).toEqual({ named: ['far', 'a'], count: 2 });
  });

  test('are counted, and the first of them named, however many a thousand others wait for', () => {
    const names = Array.from({ length: 2_000 }, (_, n) => `r${n}`);
    const ordering = names.map((name, n) => order(name, n === 1_999 ? ['r998'] : [], n < 1_000 ? 0 : 1));
    const roots = planRollout(ordering, deployed(...names));
    const awaited = awaitedIn(roots, ({ rootName }) => rootName !== 'r0');

    expect(awaited('r1000')).toEqual({ named: names.slice(1, AWAITED_NAMED + 1), count: 999 });
    expect(awaited('r1999')).toEqual({ named: ['r998', ...names.slice(1, AWAITED_NAMED)], count: 999 });
    // What says it for all of them stays small.
    expect(createRolloutGraph(roots).groupBefore('r1000')).toHaveLength(1_000);
    expect(JSON.stringify(names.map((name) => awaited(name))).length).toBeLessThan(1_000 * AWAITED_NAMED * 10);
  });
});

test('of several rollouts of one revision, the newest says for which roots a root waits', () => {
  const merge = planRollout([order('app', ['network', 'dns'])], deployed('app', 'network', 'dns'));
  const rerun = planRollout([order('app', ['dns'])], deployed('app', 'dns'));

  const awaited = awaitedByRoot(
    [
      { orderedAt: '2026-01-31T15:00:00.000Z', roots: rerun },
      { orderedAt: '2026-01-31T14:00:00.000Z', roots: merge },
    ],
    all,
  );

  expect([...awaited]).toEqual([
    ['app', { named: ['dns'], count: 1 }],
    ['network', { named: [], count: 0 }],
    ['dns', { named: [], count: 0 }],
  ]);
});
