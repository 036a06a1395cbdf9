import { describe, expect, test } from '@jest/globals';
import { isOperator, operatorOf } from './console-policy.ts';

const operators = ['olga#7', 'Oskar'].map(operatorOf);

describe('an operator', () => {
  test.each([
    ['whose entry has the id, of the same account', { login: 'olga', id: 7 }],
    ['whose account was renamed', { login: 'olga-new', id: 7 }],
    ['whose entry has no id, by their login', { login: 'oskar', id: 8 }],
    ['where GitHub did not say who they are, by their login', { login: 'Olga' }],
  ])('an operator is a person %s', (_who, person) => {
    expect(isOperator({ operators }, person)).toBe(true);
  });

  test.each([
    ['who took the login of an account that was renamed', { login: 'olga', id: 9 }],
    ['with another login', { login: 'eve' }],
  ])('no operator is a person %s', (_who, person) => {
    expect(isOperator({ operators }, person)).toBe(false);
  });
});
