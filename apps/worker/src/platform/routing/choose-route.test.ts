import { expect, test } from '@jest/globals';
import { chooseRoute, SILENT_LOOKS, watchCurrent, type Routes, type Watched } from './choose-route.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');

const NOTHING = { current: undefined, everCurrent: [], currentSeenAt: undefined, silentLooks: 0 };
const AT_WORK = { current: 'two', everCurrent: ['one', 'two'], currentSeenAt: NOW - 61_000, silentLooks: SILENT_LOOKS };

const choose = (routes: Routes & Watched, buildId: string, routing: 'automatic' | 'manual' = 'automatic') =>
  chooseRoute(routes, buildId, routing, NOW).kind;

test('the first version of an installation becomes current by itself, also where people route', () => {
  expect(choose(NOTHING, 'one')).toBe('becomes current');
  expect(choose(NOTHING, 'one', 'manual')).toBe('becomes current');
});

test('a version that was not here before becomes current with its first worker, and not where people route', () => {
  expect(choose(AT_WORK, 'three')).toBe('becomes current');
  expect(choose(AT_WORK, 'three', 'manual')).toBe('stays aside');
});

test('a restart of an earlier version in the middle of an upgrade does not turn it back', () => {
  expect(choose(AT_WORK, 'one')).toBe('stays aside');
});

test('an earlier version becomes current again once the workers of the current one are gone', () => {
  expect(choose({ ...AT_WORK, currentSeenAt: NOW - 91_000 }, 'one')).toBe('becomes current');
  expect(choose({ ...AT_WORK, currentSeenAt: undefined }, 'one')).toBe('becomes current');
  expect(choose({ ...AT_WORK, currentSeenAt: undefined }, 'one', 'manual')).toBe('stays aside');
});

test('a machine that was paused turns nothing back: silence by the clock counts only after looks that saw it', () => {
  const silent = { ...AT_WORK, currentSeenAt: NOW - 600_000 };

  expect(choose({ ...silent, silentLooks: 0 }, 'one')).toBe('stays aside');
  expect(choose({ ...silent, silentLooks: SILENT_LOOKS - 1 }, 'one')).toBe('stays aside');
  expect(choose({ ...silent, currentSeenAt: undefined, silentLooks: 0 }, 'one')).toBe('stays aside');
});

test('looks are silent in a row while no worker of the current version asks again', () => {
  const watchedAt = (times: readonly (number | undefined)[]) =>
    times.reduce<Watched | undefined>(
      (before, currentSeenAt) => watchCurrent(before, { current: 'two', currentSeenAt }),
      undefined,
    );

  expect(watchedAt([5])?.silentLooks).toBe(0);
  expect(watchedAt([5, 5, 5])?.silentLooks).toBe(2);
  expect(watchedAt([5, 5, undefined])?.silentLooks).toBe(2);
  expect(watchedAt([5, 5, 6])?.silentLooks).toBe(0);
  expect(watchedAt([5, undefined, 6])?.silentLooks).toBe(0);
  expect(watchCurrent(watchedAt([5, 5, 5]), { current: 'three', currentSeenAt: 5 }).silentLooks).toBe(0);
});

test('the current version stays as it is', () => {
  expect(choose(AT_WORK, 'two')).toBe('is current');
});
