import { describe, expect, test } from '@jest/globals';
import type { PolicyResult } from '../plan/policy.ts';
import { namePolicies, objectingPolicies } from './objecting-policies.ts';
import { anOverride } from '../testing.ts';

const digest = 'a1'.repeat(32);
const plan = { hasChanges: true, digest };

describe('a policy keeps a plan from its apply', () => {
  test.each(['denied', 'error'] as const)(
    'a required policy keeps a plan from its apply when its verdict is %s',
    (verdict) => {
      expect(objectingPolicies({ ...plan, policies: [aResult({ verdict })] })).toHaveLength(1);
    },
  );

  test.each([
    ['it passes', { ...plan, policies: [aResult({ verdict: 'passed' })] }],
    ['it is advisory', { ...plan, policies: [aResult({ enforce: 'advisory' })] }],
    ['the plan has no changes', { ...plan, hasChanges: false, policies: [aResult()] }],
    ['there is none', plan],
  ])('a policy does not keep a plan from its apply when %s', (_when, judged) => {
    expect(objectingPolicies(judged)).toEqual([]);
  });

  test('until somebody overrides it, for exactly this plan', () => {
    const judged = { ...plan, policies: [aResult(), aResult({ name: 'tags' })] };

    expect(objectingPolicies(judged, [anOverride({ digest })]).map(({ name }) => name)).toEqual(['tags']);
    expect(objectingPolicies(judged, [anOverride({ digest: 'b2'.repeat(32) })])).toHaveLength(2);
    expect(objectingPolicies(judged, [anOverride({ digest }), anOverride({ digest, policies: ['tags'] })])).toEqual([]);
  });
});

test('policies are named in a sentence', () => {
  expect(namePolicies(['cost'])).toBe('the policy cost');
  expect(namePolicies(['cost', 'tags'])).toBe('the policies cost, tags');
});

function aResult(more: Partial<PolicyResult> = {}): PolicyResult {
  return { name: 'cost', enforce: 'required', verdict: 'denied', denials: [], warnings: [], ...more };
}
