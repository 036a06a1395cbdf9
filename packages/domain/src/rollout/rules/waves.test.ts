import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ordering, Wave } from '../model.ts';
import { createRolloutGraph, planRollout } from './graph.ts';
import type { WaveChecks } from '../../gates/clock/wave-checks.ts';
import {
  planWaves,
  rolloutWithWaves,
  standingOfChecked,
  standingOfWave,
  type RootEffect,
  type WaveRule,
} from './waves.ts';

const ROOTS = ['app', 'dns', 'network', 'web'];

const deployed = (names: readonly string[]) => names.map((rootName) => ({ rootName, deploymentId: `${rootName}-1` }));

const rule = (name: string, most: number, rootNames: readonly string[] = ROOTS): WaveRule => ({
  ...{ name, most, rootNames },
  soakMs: 60_000,
});

const namesIn = (waves: readonly Wave[]) => waves.map(({ rootNames }) => rootNames);

describe('the roots of a merge', () => {
  const planned = planRollout([], deployed(ROOTS));

  test('go in waves by their names, and what no wave takes is the last one, which need not soak', () => {
    const waves = planWaves([rule('canary', 1), rule('more', 2)], planned);

    expect(waves).toEqual([
      { name: 'canary', rootNames: ['app'], soakMs: 60_000 },
      { name: 'more', rootNames: ['dns', 'network'], soakMs: 60_000 },
      { name: 'the rest', rootNames: ['web'], soakMs: 0 },
    ]);
  });

  test('that no wave is about are in none', () => {
    expect(namesIn(planWaves([rule('canary', 1, ['dns', 'web'])], planned))).toEqual([['dns'], ['web']]);
  });

  test.each<[string, readonly WaveRule[]]>([
    ['without a rule', []],
    ['of which one wave takes all', [rule('all', 4)]],
    ['of which the waves are about one', [rule('canary', 1, ['dns'])]],
  ])('%s go in no waves', (_what, rules) => {
    expect(planWaves(rules, planned)).toEqual([]);
  });

  test('are in no earlier wave than those for which they wait, also through one that no wave is about', () => {
    const ordering = [
      { rootName: 'app', group: 0, dependsOn: ['dns'] },
      { rootName: 'dns', group: 0, dependsOn: ['web'] },
    ];
    const waves = planWaves([rule('canary', 1, ['app', 'network', 'web'])], planRollout(ordering, deployed(ROOTS)));

    expect(namesIn(waves)).toEqual([['web'], ['app', 'network']]);
  });
});

const NAMES = Array.from({ length: 7 }, (_, index) => `r${index}`);

/** Without cycles, as the repository's file has it: a root depends on earlier ones, and not on one of a later group. */
const ordering: fc.Arbitrary<Ordering> = fc
  .array(fc.record({ group: fc.integer({ min: 0, max: 2 }), before: fc.subarray(NAMES) }), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  })
  .map((drawn) => {
    const groupAt = (index: number) => Math.max(0, ...drawn.slice(0, index + 1).map(({ group }) => group));
    return drawn.map(({ before }, index) => ({
      rootName: NAMES[index] ?? '',
      group: groupAt(index),
      dependsOn: before.filter((name) => NAMES.indexOf(name) < index),
    }));
  });

const anyRule = fc.record({
  name: fc.constant('a wave'),
  soakMs: fc.constant(0),
  rootNames: fc.subarray(NAMES),
  most: fc.integer({ min: 1, max: 4 }),
});

test('whatever the order and the waves, each root is in one wave at most, and all of them come to their end', () => {
  fc.assert(
    fc.property(ordering, fc.array(anyRule, { maxLength: 4 }), fc.subarray(NAMES), (order, rules, names) => {
      const roots = planRollout(order, deployed(names));
      const waves = planWaves(rules, roots);
      const { waitsFor } = createRolloutGraph(roots);
      const done = new Set<string>();
      const isOpen = (name: string) => {
        const own = waves.findIndex(({ rootNames }) => rootNames.includes(name));
        const areOver = waves
          .slice(0, Math.max(own, 0))
          .every(({ rootNames }) => rootNames.every((one) => done.has(one)));
        return areOver && waitsFor(name).every(({ rootName }) => done.has(rootName));
      };

      names.forEach(() => names.filter(isOpen).forEach((name) => done.add(name)));

      expect([...done].toSorted()).toEqual(names.toSorted());
      const all = namesIn(waves).flat();
      expect(new Set(all).size).toBe(all.length);
    }),
  );
});

describe('a wave', () => {
  const NOW = 1_000_000;
  const wave: Wave = { name: 'canary', rootNames: ['app', 'dns'], soakMs: 60_000 };
  const standing = (app: RootEffect, dns: RootEffect, now = NOW) =>
    standingOfWave(wave, new Map([['app', app] as const, ['dns', dns] as const]), now);

  test('is open until all of its roots are deployed', () => {
    expect(standing({ kind: 'done', at: NOW }, { kind: 'open' })).toEqual({ kind: 'open', rootNames: ['dns'] });
    expect(standingOfWave(wave, new Map(), NOW)).toEqual({ kind: 'open', rootNames: ['app', 'dns'] });
  });

  test('is halted by one that failed, also while others go on', () => {
    const halted = { kind: 'halted', rootName: 'dns', status: 'apply-failed' };

    expect(standing({ kind: 'open' }, { kind: 'failed', status: 'apply-failed' })).toEqual(halted);
  });

  test('soaks after the last of its deployments, and then is over', () => {
    const ends = [
      { kind: 'done', at: NOW - 50_000 },
      { kind: 'done', at: NOW },
    ] as const;

    expect(standing(...ends)).toEqual({ kind: 'soaking', since: NOW, until: NOW + 60_000 });
    expect(standing(...ends, NOW + 60_000)).toEqual({ kind: 'over', since: NOW });
  });
});

describe('a wave with checks, whose roots are deployed', () => {
  const DEPLOYED = Date.parse('2026-01-31T14:00:00.000Z');
  const results = [{ check: 'errors', at: '2026-01-31T14:00:30.000Z', failures: 0, answer: 'found 0' }];
  const checks = (more: Partial<WaveChecks> = {}): WaveChecks => ({
    ...{ version: 1, repository: { owner: 'acme', name: 'infra' }, rollout: 'r', wave: 1, state: 'checking' },
    ...{ since: '2026-01-31T14:00:00.000Z', at: '2026-01-31T14:00:31.000Z', results },
    ...more,
  });
  const rules = ['errors', 'page'].map((name) => ({ name, everyMs: 60_000, failures: 3 }));
  const standing = (found?: WaveChecks, resumedAt?: number) =>
    standingOfChecked({ soakMs: 60_000 }, DEPLOYED + 0.5, { rules, found, resumedAt });
  const soak = { kind: 'checked', since: DEPLOYED, until: DEPLOYED + 60_000 };

  test('is checked until control has signed that they passed, however long ago it has soaked', () => {
    expect(standing()).toEqual({ ...soak, results: [] });
    expect(standing(checks())).toEqual({ ...soak, results });
    expect(standing(checks({ state: 'passed' }))).toEqual({ kind: 'over' });
  });

  test('soaks and is checked anew after a deployment that nobody had checked', () => {
    expect(standing(checks({ since: '2026-01-31T13:00:00.000Z' }))).toEqual({ ...soak, results: [] });
  });

  test('stays halted by a check until something is deployed after that, and begins anew then', () => {
    const halted = checks({ state: 'halted', haltedBy: 'errors' });
    const fixedAt = DEPLOYED + 3_600_000;

    expect(standing(halted)).toEqual({ kind: 'check-failed', by: results[0] });
    expect(standing(halted, fixedAt)).toEqual({ ...soak, since: fixedAt, until: fixedAt + 60_000, results: [] });
    expect(standing(checks({ since: new Date(fixedAt).toISOString() }))).toMatchObject({ since: fixedAt, results });
  });

  test('is halted by no check that the file no longer has: the others go on in the same soak', () => {
    const removed = checks({ state: 'halted', haltedBy: 'removed' });

    expect(standing(removed)).toEqual({ ...soak, results });
  });

  test('stays halted by another check that had failed too often as well', () => {
    const page = { check: 'page', at: '2026-01-31T14:00:30.000Z', failures: 3, answer: 'answered 500' };
    const removed = checks({ state: 'halted', haltedBy: 'removed', results: [...results, page] });

    expect(standing(removed)).toEqual({ kind: 'check-failed', by: page });
  });
});

test('the waves of a merge are those of its first rollout: a re-run has none of its own', () => {
  const waves: readonly Wave[] = [{ name: 'canary', rootNames: ['app'], soakMs: 0 }];
  const rerun = { id: 'rerun', orderedAt: '2026-01-31T12:00:00.000Z' };
  const again = { id: 'again', orderedAt: '2026-01-31T11:00:00.000Z', waves };
  const merge = { id: 'merge', orderedAt: '2026-01-31T10:00:00.000Z', waves };

  expect(rolloutWithWaves([rerun, again, merge])?.id).toBe('merge');
  expect(rolloutWithWaves([rerun])).toBeUndefined();
});
