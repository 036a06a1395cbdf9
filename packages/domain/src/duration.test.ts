import { expect, test } from '@jest/globals';
import { durationText, millisecondsOf, tookText } from './duration.ts';

test.each([
  [0, 'under 1 s'],
  [0.9, 'under 1 s'],
  [1, '1 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [3_600, '1 h'],
  [7_500, '2 h 5 min'],
  [86_400 + 59, '1 d'],
  [200_000, '2 d 7 h'],
])('%d s are %s', (seconds, text) => {
  expect(tookText(seconds)).toBe(text);
});

test.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['90m', 5_400_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
])('%s is a length of time, and is written like that', (text, ms) => {
  expect(millisecondsOf(text)).toBe(ms);
  expect(durationText(ms)).toBe(text);
});

test.each(['', '10', '1w', '-1s', '1.5h', '1h30m'])('%j is none', (text) => {
  expect(millisecondsOf(text)).toBeUndefined();
});
