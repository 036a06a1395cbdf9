import { describe, expect, test } from '@jest/globals';
import type { PolicyOverride } from '../../plan/policy.ts';
import type { PlanReview } from '../../plan/review.ts';
import { aDenial, aPlan, aProgress, DIGEST, OTHER_DIGEST } from '../testing.ts';
import type { Reviewing } from '../actor.ts';
import { judgeReview, whyNoOverride } from './judge-press.ts';
import { aPress, anOverride } from '../../testing.ts';
import type { Signed } from '../../signed.ts';

const AT = '2026-11-21T08:00:00.000Z';
const open: Pick<Reviewing, 'digest' | 'answer'> = { digest: DIGEST, answer: undefined };
const closed: typeof open = { digest: undefined, answer: undefined };
const WAITING = { status: 'awaiting-review' } as const;

describe('a review is taken', () => {
  test.each(['approved', 'rejected'] as const)('that says %s and names the plan that is shown', (answer) => {
    const verdict = judgeReview(open, aReview({ answer }), AT, WAITING);

    expect(verdict).toMatchObject({
      kind: 'taken',
      review: { answer, by: 'grace', at: AT, press: aReview({ answer }) },
    });
  });
});

describe('a review is refused, and says why', () => {
  test.each([
    ['while there is no plan', { status: 'planning' }, 'no plan is shown at this moment'],
    ['while a confirmed plan is applied', { status: 'applying', review: aReviewBy('ada') }, '@ada confirmed this plan'],
    ['when nobody answered in time', { status: 'expired' }, 'this deployment has ended'],
  ] as const)('a review is refused %s', (_when, progress, why) => {
    expect(judgeReview(closed, aReview(), AT, progress)).toEqual(refusedWith(why));
  });

  test('when it names another plan', () => {
    expect(judgeReview(open, aReview({ digest: OTHER_DIGEST }), AT, WAITING)).toEqual(refusedWith('another plan'));
  });

  test.each([
    ['is empty', ''],
    ['is the beginning of one', DIGEST.slice(0, 63)],
    ['is longer than a digest', `${DIGEST}a`],
    ['is not in lower-case hex', DIGEST.toUpperCase()],
    ['has a line after it', `${DIGEST}\n`],
  ])('a review is refused when its digest %s', (_, digest) => {
    expect(judgeReview(open, aReview({ digest }), AT, WAITING)).toEqual(refusedWith('another plan'));
  });

  test('when somebody answered before: the first answer wins', () => {
    const rejected = { status: 'rejected', review: { answer: 'rejected', by: 'ada', at: AT } } as const;

    expect(judgeReview(closed, aReview(), AT, rejected)).toEqual(refusedWith('@ada rejected this plan already'));
  });

  test('while the answer before it is checked, without the name that it gives', () => {
    const answered = { ...open, answer: aReviewBy('officer') };

    const verdict = judgeReview(answered, aReview(), AT, WAITING);

    expect(verdict).toEqual(refusedWith('another answer came first, and is being checked'));
    expect(JSON.stringify(verdict)).not.toContain('officer');
  });

  test.each(['Approved', 'approve', 'approved ', 'yes', '', undefined, true])(
    'a review is refused when its answer is %j',
    (answer) => {
      // What came over the wire is not what the type promises.
      const message = aReview({ answer } as PlanReview);

      expect(judgeReview(open, message, AT, WAITING)).toEqual(refusedWith('neither approved nor rejected'));
    },
  );
});

describe('while a gate keeps a confirmed plan from its apply', () => {
  const atGate = { status: 'blocked', review: aReviewBy('ada'), plan: aPlan() } as const;

  test('it can be rejected, by its digest', () => {
    expect(judgeReview(closed, aReview({ answer: 'rejected' }), AT, atGate)).toMatchObject({
      kind: 'taken',
      review: { answer: 'rejected', by: 'grace' },
    });
    expect(judgeReview(closed, aReview({ answer: 'rejected', digest: OTHER_DIGEST }), AT, atGate)).toEqual(
      refusedWith('another plan'),
    );
  });

  test('it cannot be confirmed again', () => {
    expect(judgeReview(closed, aReview(), AT, atGate)).toEqual(refusedWith('@ada confirmed this plan already'));
  });
});

test('a refusal names who pressed what', () => {
  const verdict = judgeReview(closed, aReview({ answer: 'rejected' }), AT, WAITING);

  expect(verdict).toEqual(refusedWith('@grace pressed Reject'));
});

describe('while a required policy denies the plan', () => {
  const waiting = aProgress({ status: 'awaiting-review', plan: aPlan({ policies: [aDenial()] }) });

  test('it cannot be confirmed, and can be rejected', () => {
    expect(judgeReview(open, aReview(), AT, waiting)).toEqual(refusedWith('the policy cost denies this plan'));
    expect(judgeReview(open, aReview({ answer: 'rejected' }), AT, waiting).kind).toBe('taken');
  });

  test('it can be confirmed once an owner has overridden that', () => {
    expect(judgeReview(open, aReview(), AT, { ...waiting, overrides: [anOverrideOf()] }).kind).toBe('taken');
  });

  test.each([
    ['of the policy and the plan counts', open, {}, undefined],
    ['of another plan does not', open, { digest: OTHER_DIGEST }, 'that was for another plan'],
    ['of the first digits of the plan does not', open, { digest: DIGEST.slice(0, 12) }, 'that was for another plan'],
    ['of another policy does not', open, { policies: ['tags'] }, 'somebody has overridden that already'],
    ['of no policy does not', open, { policies: [] }, 'somebody has overridden that already'],
    ['does not count when no plan is shown', closed, {}, 'no plan is shown at this moment'],
  ])('an override %s', (_what, reviewing, more, why) => {
    const found = whyNoOverride(reviewing, anOverrideOf(more), waiting);

    expect(found).toEqual(why === undefined ? undefined : expect.stringContaining(`@olga pressed Override: ${why}`));
  });
});

function anOverrideOf(more: Partial<PolicyOverride> = {}): Signed<PolicyOverride> {
  return anOverride({ deploymentId: 'd1', digest: DIGEST, ...more });
}

function aReview(more: Partial<PlanReview> = {}): Signed<PlanReview> {
  return aPress({ requestId: 'r1', deploymentId: 'd1', digest: DIGEST, at: AT, ...more });
}

function aReviewBy(by: string) {
  return { answer: 'approved', by, at: AT } as const;
}

function refusedWith(sentence: string): unknown {
  return { kind: 'refused', sentence: expect.stringContaining(sentence) };
}
