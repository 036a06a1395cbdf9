import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defined } from '../../defined.ts';
import type { Deployment } from '../../deployment/model.ts';
import { NO_CHANGES, type PlanSummary } from '../../plan/summary.ts';
import { RULED_CHANGES, type AutoRule, type PlanReviewPolicy } from '../../root/model.ts';
import { aDeployment, aPlan as planOf } from '../../testing/samples.ts';
import { confirmingRules, needsReview } from '../needs-review.ts';
import { describeRules, isConfirmedByRules, type RuledPlan } from './auto-when.ts';

const DNS: AutoRule = {
  of: 'prod/**',
  no: ['destroy', 'replace', 'forget'],
  onlyTypes: ['aws_route53_*'],
  maxChanges: 2,
  policies: ['cost'],
  digest: 'a1',
};
const PASSED = { name: 'cost', enforce: 'advisory', verdict: 'passed', denials: [], warnings: [] } as const;
const ONE = [{ address: 'aws_route53_record.www', action: 'update' }] as const;

interface Changed {
  readonly summary?: Partial<PlanSummary>;
  readonly types?: RuledPlan['types'] | undefined;
  readonly policies?: RuledPlan['policies'] | undefined;
  readonly doubt?: string;
}

/** One that fits. */
function aPlan({ summary, ...more }: Changed = {}): RuledPlan {
  const found = { types: ['aws_route53_record'], policies: [PASSED], ...more };
  return { summary: { ...NO_CHANGES, update: 1, resources: ONE, omitted: 0, ...summary }, ...defined(found) };
}

describe('a rule confirms a plan', () => {
  test('of which everything is as it says', () => {
    expect(isConfirmedByRules([DNS], aPlan())).toBe(true);
    expect(isConfirmedByRules([DNS], aPlan({ summary: { outputs: 3, create: 1 } }))).toBe(true);
  });

  test.each<[string, Changed]>([
    ['destroys something', { summary: { delete: 1 } }],
    ['replaces something', { summary: { replace: 1 } }],
    ['forgets something', { summary: { forget: 1 } }],
    ['does what this release does not know', { summary: { unknown: 1 } }],
    ['may be of something else than its people think', { doubt: 'the workspace default has no state' }],
    ['has resources that are not listed', { summary: { omitted: 1 } }],
    ['changes more than it allows', { summary: { resources: [...ONE, ...ONE, ...ONE] } }],
    ['changes resources of other types', { types: ['aws_iam_role', 'aws_route53_record'] }],
    ['may do more than its host knows', { types: undefined }],
    ['a policy denies', { policies: [{ ...PASSED, verdict: 'denied' }] }],
    ['a policy could not judge', { policies: [{ ...PASSED, verdict: 'error' }] }],
    ['the policy has not judged', { policies: [{ ...PASSED, name: 'tags' }] }],
    ['no policy has judged', { policies: undefined }],
  ])('but none that %s', (_what, more) => {
    expect(isConfirmedByRules([DNS], aPlan(more))).toBe(false);
  });

  test('only where there is one, and all that there are confirm it', () => {
    expect(isConfirmedByRules(undefined, aPlan())).toBe(false);
    expect(isConfirmedByRules([], aPlan())).toBe(false);
    expect(isConfirmedByRules([DNS, { ...DNS, onlyTypes: ['aws_iam_*'] }], aPlan())).toBe(false);
  });

  test('that does more by a change that the rule does not name', () => {
    const rule: AutoRule = { of: '.', no: ['change', 'import', 'move', 'create'], digest: 'a1' };

    expect(isConfirmedByRules([rule], aPlan({ summary: { update: 0, delete: 1 } }))).toBe(true);
    for (const action of ['update', 'import', 'move', 'create'] as const)
      expect(isConfirmedByRules([rule], aPlan({ summary: { update: 0, [action]: 1 } }))).toBe(false);
  });
});

describe('a type is matched as a whole', () => {
  test.each([
    ['aws_route53_*', 'aws_route53_record', true],
    ['aws_route53_*', 'aws_route53resolver_rule', false],
    ['aws_route53_record', 'aws_route53_record', true],
    ['aws_route53_record', 'aws_route53_records', false],
    ['*_record', 'aws_route53_record', true],
    ['*_record', 'aws_route53_record_set', false],
    ['aws_*_record', 'aws_route53_record', true],
    ['aws_*_record', 'aws_record', false],
    ['aws*aws', 'aws', false],
    ['a*b*c', 'a_b_b_c', true],
    ['a*b*c', 'a_c_b', false],
    ['*', 'anything', true],
  ])('%s %s: %s', (pattern, type, fits) => {
    expect(
      isConfirmedByRules([{ of: '.', no: [], onlyTypes: [pattern], digest: 'a1' }], aPlan({ types: [type] })),
    ).toBe(fits);
  });

  test('as an expression would match it', () => {
    const word = fc.stringMatching(/^[ab_]{0,8}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab_*]{1,6}$/), word, (pattern, type) => {
        const rule: AutoRule = { of: '.', no: [], onlyTypes: [pattern], digest: 'a1' };
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(type);

        expect(isConfirmedByRules([rule], aPlan({ types: [type] }))).toBe(expected);
      }),
    );
  });
});

test('one more condition never confirms a plan that was not confirmed without it', () => {
  const count = fc.integer({ min: 0, max: 2 });
  const summary = fc.record({
    delete: count,
    replace: count,
    forget: count,
    update: count,
    create: count,
    import: count,
    move: count,
    omitted: fc.constantFrom(0, 0, 1),
  });
  const types = fc.option(fc.subarray(['aws_route53_record', 'aws_iam_role']), { nil: undefined });
  fc.assert(
    fc.property(
      summary,
      types,
      fc.subarray([...RULED_CHANGES]),
      fc.constantFrom(...RULED_CHANGES),
      (counts, found, no, more) => {
        const plan = aPlan({ summary: counts, types: found });
        const rule = { of: '.', no, digest: 'a1' };
        const stricter = [
          { ...rule, no: [...no, more] },
          { ...rule, onlyTypes: ['aws_*'] },
          { ...rule, maxChanges: 1 },
        ];

        for (const one of stricter)
          if (isConfirmedByRules([one], plan)) expect(isConfirmedByRules([rule], plan)).toBe(true);
      },
    ),
  );
});

describe('a plan that a rule confirms', () => {
  const made = { hasChanges: true, ...aPlan() };

  test.each(['required', 'before_merge', 'auto_unless_destroy'] as const)('needs no review: %s', (planReview) => {
    expect(needsReview(made, { planReview, autoWhen: [DNS] }, false)).toBe(false);
  });

  test('needs one all the same where the deployment asks for it, as one that was deployed by hand does', () => {
    expect(needsReview(made, { planReview: 'required', autoWhen: [DNS] }, true)).toBe(true);
  });

  test('names the rules, but only where a person would have been asked without them', () => {
    const rulesOf = (planReview: PlanReviewPolicy, more: Partial<Deployment> = {}, policies = [PASSED]) => {
      const deployment = aDeployment({
        status: 'applying',
        plan: planOf({ ...made, policies, reviewRequired: false }),
      });
      return confirmingRules({ ...deployment, root: { ...deployment.root, planReview, autoWhen: [DNS] }, ...more });
    };

    expect(rulesOf('required')).toEqual([DNS]);
    expect(rulesOf('auto')).toEqual([]);
    expect(rulesOf('required', { trigger: 'manual' })).toEqual([]);
    expect(rulesOf('required', { trigger: 'manual', rerun: true })).toEqual([DNS]);
    expect(rulesOf('required', { trigger: 'preview' })).toEqual([]);
    expect(rulesOf('required', {}, [])).toEqual([]);
    expect(rulesOf('required', { progress: { status: 'cancelled', times: {}, jobs: {}, plan: planOf(made) } })).toEqual(
      [],
    );
  });

  test('is confirmed by nobody else than the person who did', () => {
    const review = { answer: 'approved', by: 'bob', at: '2026-01-31T14:00:00.000Z' } as const;
    const plan = planOf({ ...made, reviewRequired: false });
    const deployment = aDeployment({ status: 'applying', plan, review });

    expect(confirmingRules({ ...deployment, root: { ...deployment.root, autoWhen: [DNS] } })).toEqual([]);
  });
});

describe('a rule is said in words that are true of each plan that it confirms', () => {
  test.each<[readonly AutoRule[], string]>([
    [
      [DNS],
      'the rule of prod/**: no destroy, replace or forget, only aws_route53_*, at most 2 changes, passed by cost',
    ],
    [[{ of: 'acme/*', no: [], digest: 'a1' }], 'the rule of acme/*: any change that this release knows'],
    [
      [
        { of: 'a', no: ['destroy'], maxChanges: 1, digest: 'a1' },
        { of: 'b', no: [], onlyTypes: ['x', 'y'], digest: 'b2' },
      ],
      'the rule of a: no destroy, at most 1 change; and by the rule of b: only x and y',
    ],
  ])('%j', (rules, words) => {
    expect(describeRules(rules)).toBe(words);
  });
});
