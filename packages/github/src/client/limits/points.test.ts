import { expect, test } from '@jest/globals';
import { Points } from './points.ts';

test('points fit while no minute has more than the limit', () => {
  const points = new Points();
  points.book(100, 5);

  expect(points.fit(100, 5, 10)).toBe(true);
  expect(points.fit(100, 6, 10)).toBe(false);
});

test('points that do not fit wait for the end of the minute, and for the five seconds by which a turn may be late', () => {
  const points = new Points();
  points.book(100, 10);

  expect(points.earliest(100, { points: 1, limit: 10 })).toBe(166);
});

test('points that are reserved for later take room from those before', () => {
  const points = new Points();
  points.book(140, 8);

  expect(points.fit(100, 5, 10)).toBe(false);
  expect(points.fit(74, 5, 10)).toBe(true);
});

test('a second that is full is left out', () => {
  const points = new Points();
  points.book(100, 5);

  expect(points.earliest(100, { points: 5, limit: 100, aSecond: 9 })).toBe(101);
});

test('points that are given back were not spent', () => {
  const points = new Points();
  points.book(100, 10);

  points.book(100, -10);

  expect(points.fit(100, 10, 10)).toBe(true);
});
