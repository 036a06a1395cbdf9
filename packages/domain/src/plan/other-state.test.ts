import { expect, test } from '@jest/globals';
import { leftStateOf, otherStateOf, type LeftState, type OtherState } from './other-state.ts';

test.each<[string, string | undefined, boolean, LeftState | undefined]>([
  ['changed a state', '7 abc', true, { lineage: 'abc' }],
  ['failed to change one', '7 abc', false, { lineage: 'abc' }],
  ['made one', '0 ', true, {}],
  ['may have made none', '0 ', false, undefined],
  ['does not tell', undefined, true, undefined],
])('of a deployment that %s', (_what, stateVersion, isApplied, left) => {
  expect(leftStateOf(planOf(stateVersion), isApplied)).toEqual(left);
});

test.each<[string, string | undefined, LeftState | undefined, OtherState | undefined]>([
  ['the same state, changed since', '8 abc', { lineage: 'abc' }, undefined],
  ['a state that the deployment before it made', '1 abc', {}, undefined],
  ['no state, though one was changed', '0 ', { lineage: 'abc' }, 'empty'],
  ['no state, though one was made', '0 ', {}, 'empty'],
  ['a state of another lineage', '8 xyz', { lineage: 'abc' }, 'unrelated'],
  ['the first state of its root', '0 ', undefined, undefined],
  ['a state that was there before the first deployment', '8 abc', undefined, undefined],
  ['a state that nobody knows', undefined, { lineage: 'abc' }, undefined],
])('a plan of %s', (_what, stateVersion, left, other) => {
  expect(otherStateOf(planOf(stateVersion), left)).toBe(other);
});

function planOf(stateVersion: string | undefined) {
  return stateVersion === undefined ? {} : { stateVersion };
}
