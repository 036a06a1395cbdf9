import { expect, test } from '@jest/globals';
import type { SeenState } from '@nereid/domain/plan';
import { compareState, type FoundState } from './seen-state.ts';

const at = (minute: number) => `2026-01-31T14:${String(minute).padStart(2, '0')}:00.000Z`;
const seen: SeenState = { stateVersion: '7 a', at: at(10), isOutside: false };
const afterDeployment: SeenState = { at: at(10), isOutside: false };

const withoutState: SeenState = { ...seen, stateVersion: '0 ' };

test.each<[string, SeenState | undefined, string, number, FoundState]>([
  ['of a root whose state nobody has seen is the first', undefined, '7 a', 11, 'first'],
  ['that finds the same state changes nothing', seen, '7 a', 11, 'same'],
  ['that finds the same state, and began earlier, changes nothing', seen, '7 a', 9, 'same'],
  ['that finds a higher serial says that the state changed', seen, '10 a', 11, 'changed'],
  ['that finds a state where there was none says so as well', withoutState, '1 a', 11, 'changed'],
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
  for (const isPreview of [true, false])
    expect(compareState(known, { stateVersion, at: at(minute), isPreview })).toBe(found);
});

test.each([
  ['a lower serial', '6 a'],
  ['another lineage', '8 b'],
  ['no state', '0 '],
])('%s counts when a deployment finds it: a pull request may have another backend', (_what, stateVersion) => {
  const planned = { stateVersion, at: at(11) };
  expect(compareState(seen, { ...planned, isPreview: false })).toBe('changed');
  expect(compareState(seen, { ...planned, isPreview: true })).toBe('same');
});
