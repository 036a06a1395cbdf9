import { expect, test } from '@jest/globals';
import { stopAfterMs } from './shutdown-signal.ts';

const MINUTE_MS = 60_000;

test('what still runs is stopped so early that stopping, which takes 70 s at most, ends within the grace', () => {
  expect(stopAfterMs(10 * MINUTE_MS)).toBe(10 * MINUTE_MS - 70_000);
});

test('a short grace is halved between ending and being stopped', () => {
  expect(stopAfterMs(MINUTE_MS)).toBe(MINUTE_MS / 2);
  expect(stopAfterMs(0)).toBe(0);
});
