import { expect, test } from '@jest/globals';
import { describeRule } from './describe-rule.ts';

test('a rule can be read', () => {
  expect(describeRule('confirm', [{ permission: 'maintain', teams: ['acme/sre'], notAuthor: true }])).toBe(
    'maintain permission, as a member of acme/sre, not being among those who brought the change',
  );
});

test('several rules are one sentence, with the highest permission', () => {
  const rules = [{ teams: ['acme/sre'] }, { permission: 'admin', teams: ['acme/sre'] }, { users: ['carol'] }] as const;

  expect(describeRule('confirm', rules)).toBe('admin permission, as a member of acme/sre, as one of carol');
});

test.each([
  ['confirm', 'write permission'],
  ['apply_force', 'admin permission'],
] as const)('without a rule, %s takes %s', (action, words) => {
  expect(describeRule(action, undefined)).toBe(words);
});
