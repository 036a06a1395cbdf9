import { expect, test } from '@jest/globals';
import { describeReview, describeRule } from './describe-rule.ts';

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

test.each([
  [undefined, 'a review'],
  [[{ permission: 'admin' }], 'a review'],
  [[{ users: ['alice'] }], "@alice's review"],
  [[{ users: ['alice', 'bob'] }], 'a review by @alice or @bob'],
  [[{ users: ['alice', 'bob'] }, { users: ['bob', 'carol'] }], "@bob's review"],
  [[{ teams: ['acme/sre'] }], 'a review by a member of acme/sre'],
  [[{ teams: ['acme/sre'] }, { users: ['alice'] }], "@alice's review"],
  [[{ users: ['a', 'b', 'c', 'd'] }], 'a review'],
] as const)('a plan waits, by the rules %j, for %s', (rules, words) => {
  expect(describeReview(rules)).toBe(words);
});
