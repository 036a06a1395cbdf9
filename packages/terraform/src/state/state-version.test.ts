import { expect, test } from '@jest/globals';
import { hasStateChanged, NO_STATE } from './state-version.ts';

test.each([
  ['has the same serial and lineage', '3 a', '3 a', false],
  ['was written since', '3 a', '4 a', true],
  ['was made anew', '3 a', '3 b', true],
  ['is gone', '3 a', NO_STATE, true],
  ['cannot be read', '3 a', undefined, false],
  ['was made since', NO_STATE, '1 a', true],
  ['was never written', NO_STATE, NO_STATE, false],
  ['is not in the plan', undefined, '3 a', false],
])('a state that %s: %s, then %s', (_what, planned, present, hasChanged) => {
  expect(hasStateChanged(planned, present)).toBe(hasChanged);
});
