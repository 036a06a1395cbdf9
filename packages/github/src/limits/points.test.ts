import { expect, test } from '@jest/globals';
import { createPoints } from './points.ts';

/** Points on a clock that stands still until it is told. */
function atNoon() {
  const clock = { ms: 0 };
  return { clock, points: createPoints(() => clock.ms) };
}

test('what stays within the limit waits for nothing', () => {
  const { points } = atNoon();
  points.spend(5);

  expect(points.waitMs(5, 10)).toBe(0);
});

test('what would go beyond it waits until enough of the minute before is over', () => {
  const { clock, points } = atNoon();
  points.spend(5);
  clock.ms = 10_000;
  points.spend(5);
  clock.ms = 20_000;

  expect(points.waitMs(5, 10)).toBe(40_000);
  expect(points.waitMs(10, 10)).toBe(50_000);
});

test('a minute later it is forgotten', () => {
  const { clock, points } = atNoon();
  points.spend(10);
  clock.ms = 60_000;

  expect(points.waitMs(10, 10)).toBe(0);
});

test('what is taken back was not spent', () => {
  const { points } = atNoon();
  const takeBack = points.spend(10);

  takeBack();

  expect(points.waitMs(10, 10)).toBe(0);
});
