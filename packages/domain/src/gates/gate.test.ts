import { describe, expect, test } from '@jest/globals';
import { NO_CHANGES } from '../plan/summary.ts';
import { aPlan, aRoot } from '../testing/samples.ts';
import { describeReviewWait } from './describe-review-wait.ts';
import { describeRule, requiredPermission } from './describe-rule.ts';
import { appliedCounts, planCounts, warningCount } from '../deployment/rules/plan-counts.ts';

const nothing = { ...NO_CHANGES, resources: [], omitted: 0 };

describe('a plan in one line', () => {
  test('counts a replacement as one to add and one to destroy, as Terraform does', () => {
    expect(planCounts(aPlan().made.body.summary)).toBe('2 to add, 1 to change, 2 to destroy');
  });

  test.each([
    [
      { update: 4, import: 1, move: 2, forget: 3 },
      '0 to add, 4 to change, 0 to destroy, 3 to forget, 1 to import, 2 to move',
    ],
    [{ import: 1, move: 2, forget: 3 }, '3 to forget, 1 to import, 2 to move'],
    [{ move: 1 }, '1 to move'],
    [{ create: 1, forget: 1 }, '1 to add, 0 to change, 0 to destroy, 1 to forget'],
    [{ unknown: 1 }, '1 unknown change'],
    [{ create: 1, unknown: 2 }, '1 to add, 0 to change, 0 to destroy, 2 unknown changes'],
    [{}, '0 to add, 0 to change, 0 to destroy'],
  ])('names what else there is, and no zeros where there is nothing else: %j', (some, words) => {
    expect(planCounts({ ...nothing, ...some })).toBe(words);
  });

  test('counts several plans together, with outputs of those that change nothing else', () => {
    const outputs = { ...nothing, outputs: 2 };

    expect(planCounts(outputs, { ...outputs, update: 1 }, { ...nothing, move: 1 })).toBe(
      '0 to add, 1 to change, 0 to destroy, 1 to move, 2 outputs change',
    );
  });

  test.each([
    [1, '1 output changes'],
    [2, '2 outputs change'],
  ])('names outputs where nothing else changes (%d)', (outputs, words) => {
    expect(planCounts({ ...nothing, outputs })).toBe(words);
  });

  const none = { added: 0, changed: 0, destroyed: 0, imported: 0 };

  test.each([
    [{ ...none, added: 2 }, { create: 2, outputs: 1 }, '2 added, 0 changed, 0 destroyed'],
    [{ ...none, added: 1 }, { create: 1, forget: 1 }, '1 added, 0 changed, 0 destroyed, 1 forgotten'],
    [{ ...none, imported: 1 }, { import: 1 }, '1 imported'],
    [none, { move: 2, forget: 1, outputs: 1 }, '1 forgotten, 2 moved, 1 output changed'],
    [none, { outputs: 2 }, '2 outputs changed'],
    [none, {}, '0 added, 0 changed, 0 destroyed'],
  ])('says what its apply did: %j of %j', (applied, planned, words) => {
    expect(appliedCounts(applied, { summary: { ...nothing, ...planned } })).toBe(words);
  });
});

test.each([
  [{}, ''],
  [{ warnings: { texts: ['a'] } }, '; 1 warning'],
  [{ warnings: { texts: ['a', 'b'], omitted: 3 } }, '; 5 warnings'],
  [{ doubt: 'the workspace default is empty' }, '; 1 warning'],
])('the warnings of a plan are counted: %j', (body, words) => {
  expect(warningCount({ made: { body } })).toBe(words);
});

test('a plan of another state is a warning', () => {
  expect(warningCount({ made: { body: {} }, otherState: 'empty' })).toBe('; 1 warning');
});

describe('who may do something', () => {
  test('is whoever may write, and to skip requirements an admin, unless a rule says otherwise', () => {
    expect(requiredPermission('confirm', undefined)).toBe('write');
    expect(requiredPermission('apply_force', undefined)).toBe('admin');
    expect(requiredPermission('apply_force', [{ permission: 'maintain' }])).toBe('maintain');
  });

  test('is said with all that the rule asks for', () => {
    const rule = {
      permission: 'admin',
      teams: ['acme/sre', 'acme/ops'],
      users: ['bob', 'carol'],
      notAuthor: true,
    } as const;

    expect(describeRule('confirm', undefined)).toBe('write permission');
    expect(describeRule('confirm', [rule])).toBe(
      'admin permission, as a member of acme/sre or acme/ops, as one of bob, carol, not being among those who brought the change',
    );
  });

  test('is said of a wait for a review, with what it is about and when it ends', () => {
    expect(describeReviewWait(aRoot(), aPlan().made.body, '2026-02-07T14:05:00.000Z')).toBe(
      '**Waits for a review** of 2 to add, 1 to change, 2 to destroy; ends 2026-02-07T14:05:00.000Z.\n\n' +
        'Confirm takes write permission; Reject takes write permission.',
    );
  });
});
