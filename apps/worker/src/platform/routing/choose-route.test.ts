import { expect, test } from '@jest/globals';
import { chooseRoute, type Routes } from './choose-route.ts';

const NOW = Date.parse('2026-01-31T14:00:00.000Z');

const NOTHING: Routes = { current: undefined, everCurrent: [], currentSeenAt: undefined };
const AT_WORK: Routes = { current: 'two', everCurrent: ['one', 'two'], currentSeenAt: NOW - 61_000 };

const choose = (routes: Routes, buildId: string, routing: 'automatic' | 'manual' = 'automatic') =>
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

test('the current version stays as it is', () => {
  expect(choose(AT_WORK, 'two')).toBe('is current');
});
