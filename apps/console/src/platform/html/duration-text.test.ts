import { expect, test } from '@jest/globals';
import { durationText } from './duration-text.ts';

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
  expect(durationText(seconds)).toBe(text);
});
