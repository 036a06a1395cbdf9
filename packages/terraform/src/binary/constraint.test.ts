import { expect, test } from '@jest/globals';
import { newest, parseConstraint, satisfies } from './constraint.ts';

test.each([
  ['1.5.7', '1.5.7', true],
  ['= 1.5', '1.5.0', true],
  ['!= 1.5.7', '1.5.7', false],
  ['>= 1.3, < 2.0.0', '1.11.4', true],
  ['>= 1.3, < 2.0.0', '2.0.0', false],
  ['> 1.3', '1.3.0', false],
  ['<= 1.3', '1.3.0', true],
  ['~> 1.5', '1.11.4', true],
  ['~> 1.5', '1.4.9', false],
  ['~> 1.5', '2.0.0', false],
  ['~> 1.5.3', '1.5.7', true],
  ['~> 1.5.3', '1.6.0', false],
  ['~> 1', '2.0.0', true],
  ['>= 1.0', '1.6.0-beta1', false],
  ['>= 1.6.0-alpha1', '1.6.0-beta1', true],
  ['>= 1.6.0-alpha1', '1.7.0-beta1', false],
])('whether %p allows the version %s: %p', (constraint, version, expected) => {
  expect(satisfies(version, parseConstraint(constraint) ?? [])).toBe(expected);
});

test.each(['', 'latest', '1.2.3.4', '>= 1.0,', '=> 1.0', '1.x', `>= ${'1'.repeat(600)}`])(
  '%p is no constraint',
  (text) => {
    expect(parseConstraint(text)).toBeUndefined();
  },
);

test('the newest is the newest of those that satisfy', () => {
  const constraint = parseConstraint('~> 1.5, != 1.11.4') ?? [];

  expect(newest(['1.5.7', '1.10.2', '1.11.4', '1.9.0', '2.0.0'], constraint)).toBe('1.10.2');
});
