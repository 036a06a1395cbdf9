import { expect, test } from '@jest/globals';
import { shareGrace } from './share-grace.ts';

const MINUTE_MS = 60_000;

test('a worker of both roles leaves its host all of its grace but two minutes', () => {
  expect(shareGrace(65 * MINUTE_MS, ['control', 'terraform'])).toEqual({
    hostMs: 63 * MINUTE_MS,
    showMs: MINUTE_MS,
    controlMs: MINUTE_MS,
  });
});

test('of a short grace, the host gets three quarters', () => {
  expect(shareGrace(80_000, ['control', 'terraform'])).toEqual({
    hostMs: 60_000,
    showMs: 10_000,
    controlMs: 10_000,
  });
});

test('a worker of one role has all of its grace for that', () => {
  expect(shareGrace(MINUTE_MS, ['control'])).toEqual({
    hostMs: 0,
    showMs: 0,
    controlMs: MINUTE_MS,
  });
  expect(shareGrace(MINUTE_MS, ['terraform'])).toEqual({
    hostMs: MINUTE_MS,
    showMs: 0,
    controlMs: 0,
  });
});
