import { describe, expect, test } from '@jest/globals';
import { aPlan, aRoot } from '@nereid/github/testing';
import { describeGate } from './describe-gate.ts';
import { describeRule, requiredPermission } from './describe-rule.ts';
import { planCounts } from './plan-counts.ts';

const nothing = { ...aPlan().summary, create: 0, update: 0, replace: 0, delete: 0, outputs: 0, resources: [] };

describe('a plan in one line', () => {
  test('counts a replacement as one to add and one to destroy, as Terraform does', () => {
    expect(planCounts(aPlan().summary)).toBe('2 to add, 1 to change, 2 to destroy');
  });

  test('names imports, moves and what is forgotten where there are any', () => {
    expect(planCounts({ ...nothing, import: 1, move: 2, forget: 3 })).toBe(
      '0 to add, 0 to change, 0 to destroy, 1 to import, 2 to move, 3 to forget',
    );
  });

  test.each([
    [1, '1 output changes'],
    [2, '2 outputs change'],
  ])('names outputs where nothing else changes (%d)', (outputs, words) => {
    expect(planCounts({ ...nothing, outputs })).toBe(`0 to add, 0 to change, 0 to destroy, ${words}`);
  });
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

  test('is said of the gate, with what it is about and when it closes', () => {
    expect(describeGate(aRoot(), aPlan(), '2026-02-07T14:05:00.000Z')).toBe(
      '**Waits for a review** of 2 to add, 1 to change, 2 to destroy; ends 2026-02-07T14:05:00.000Z.\n\n' +
        'Confirm takes write permission; Reject takes write permission.',
    );
  });
});
