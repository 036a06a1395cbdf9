import { expect, test } from '@jest/globals';
import { LOGIN, OPERATOR } from './login.ts';

test.each(['alice', 'alice-1', 'alice_acme', 'dependabot[bot]', '-'])('%s is a login', (text) => {
  expect(text).toMatch(LOGIN);
});

test.each(['', 'alice@acme.example', 'alice smith', '../alice', 'alice\n', 'alice[bot]x', '<b>', 'a'.repeat(101)])(
  '%j is no login',
  (text) => {
    expect(text).not.toMatch(LOGIN);
  },
);

test('an operator may have the id of the account behind the login', () => {
  expect(['olga', 'olga#1234567', 'olga#', 'olga#0', '#7'].map((text) => OPERATOR.test(text))).toEqual([
    ...[true, true, false, false, false],
  ]);
});
