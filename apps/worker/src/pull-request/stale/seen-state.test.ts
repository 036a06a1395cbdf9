import { expect, test } from '@jest/globals';
import type { SeenState } from '@nereid/storage';
import { compareState, type FoundState } from './seen-state.ts';

const at = (minute: number) => `2026-01-31T14:${String(minute).padStart(2, '0')}:00.000Z`;
const seen: SeenState = { stateVersion: '7 a', at: at(10), isOutside: false };
const afterDeployment: SeenState = { at: at(10), isOutside: false };

test.each<[string, SeenState | undefined, string, number, FoundState]>([
  ['of a root whose state nobody has seen is the first', undefined, '7 a', 11, 'first'],
  ['that finds the same state changes nothing', seen, '7 a', 11, 'same'],
  ['that finds the same state, and began earlier, changes nothing', seen, '7 a', 9, 'same'],
  ['that finds another serial says that the state changed', seen, '8 a', 11, 'changed'],
  ['that finds an older serial says so as well: somebody went back', seen, '6 a', 11, 'changed'],
  ['that finds another lineage says so as well', seen, '7 b', 11, 'changed'],
  [
    'that finds another state, and began before the one that found this, is out of date itself',
    seen,
    '6 a',
    9,
    'overtaken',
  ],
  ['after a deployment is the first', afterDeployment, '9 a', 11, 'first'],
  ['that began before the end of a deployment counts for nothing', afterDeployment, '7 a', 9, 'same'],
])('a plan %s', (_what, known, stateVersion, minute, found) => {
  expect(compareState(known, { stateVersion, at: at(minute) })).toBe(found);
});
