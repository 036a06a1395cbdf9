import { expect, test } from '@jest/globals';
import { lengthOfStop } from './stop-length.ts';

test.each([
  ['1m', 60_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
  ['168h', 604_800_000],
])('a stop may last for %s', (typed, ms) => {
  expect(lengthOfStop(typed)).toBe(ms);
});

test.each(['', '0m', '30s', '120s', '2', '2 h', 'a while', '-1h', '2h '])('a stop cannot last for %j', (typed) => {
  expect(lengthOfStop(typed)).toBe(`expected a time from 1m to 7d for a stop, like 2h, found ${typed}`);
});

test.each(['8d', '169h', '99999d'])('a stop cannot last for %s, but a freeze can', (typed) => {
  expect(lengthOfStop(typed)).toBe(
    `expected a time from 1m to 7d for a stop, like 2h, found ${typed}; for longer, add a freeze to windows in the server's file`,
  );
});
