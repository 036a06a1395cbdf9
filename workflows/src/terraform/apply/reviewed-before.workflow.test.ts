import { describe, expect, test } from '@jest/globals';
import type { PlanReview, ReviewedBefore, ReviewedPlan } from '@nereid/domain/plan';
import { ApplicationFailure } from '@temporalio/common';
import { aPlan, aRoot, DIGEST, OTHER_DIGEST } from '@nereid/domain/deployment-testing';
import { aMergeReview } from '@nereid/domain/testing';
import { SIGNED, type Script } from '../fixtures/fake-hosts.ts';
import { stageOfThisFile } from '../fixtures/stage.ts';
import type { Signed } from '@nereid/domain/signed';

const stage = stageOfThisFile();

const AT = '2026-01-31T14:30:00.000Z';

const reviewed: ReviewedBefore = { review: aMergeReview({ digest: OTHER_DIGEST, at: AT }) };

const merge = { root: aRoot({ planReview: 'before_merge' }), reviewed } as const;

const approval: Signed<PlanReview> = {
  body: {
    version: 1,
    requestId: 'press:network',
    deploymentId: 'd1',
    answer: 'approved',
    digest: OTHER_DIGEST,
    by: 'grace',
    at: AT,
  },
  signature: SIGNED,
};

const usable: ReviewedPlan = {
  kind: 'usable',
  plan: aPlan({ digest: OTHER_DIGEST, beforeMerge: true }),
  job: { id: 'plan-job', startedAt: AT },
  approval,
};

const holds: Partial<Script> = { findReviewedPlan: () => Promise.resolve(usable) };

describe('a merge whose plan was confirmed before', () => {
  test('is applied at once: nothing is planned, and nobody is asked', async () => {
    const deployment = await stage.start(holds, merge);

    const result = await deployment.result();
    await deployment.record('applied-as-reviewed');

    expect(deployment.asked.calls).toEqual(['claim h1', 'audit RUNNING', 'apply h1', 'audit SUCCESS']);
    expect(result).toMatchObject({
      status: 'succeeded',
      review: { by: 'grace', press: { body: { at: AT } } },
    });
    expect(result.jobs.plan?.id).toBe('plan-job');
    expect(deployment.asked.applies).toMatchObject([
      { go: { body: { digest: OTHER_DIGEST } }, order: { body: { reviewed } } },
    ]);
    expect(deployment.asked.beginnings).toMatchObject([{ hostId: 'h1', review: approval }]);
    const facts = { planDigest: OTHER_DIGEST, approvedBy: 'grace', approvedBeforeMerge: true };
    expect(deployment.asked.audits).toMatchObject([facts, facts]);
  });

  test.each<[string, Partial<Script>, string]>([
    [
      'when control says what is different',
      { findReviewedPlan: () => Promise.resolve({ kind: 'unusable', why: 'other files were merged' }) },
      'other files were merged',
    ],
    [
      'when control cannot say',
      { findReviewedPlan: () => Promise.reject(ApplicationFailure.nonRetryable('forged', 'FORGED')) },
      '@grace confirmed a plan of this before the merge, but forged',
    ],
    [
      'when the state has changed since',
      { ...holds, apply: once({ kind: 'plan-unusable', why: 'the state changed since the plan was made' }) },
      'the state changed since the plan was made',
    ],
    [
      'when there is no permission to apply it',
      { ...holds, begin: refusedOnce() },
      '@grace confirmed a plan of this before the merge, but abc1234 was applied since',
    ],
  ])('is planned and asked for %s', async (_when, script, why) => {
    const deployment = await stage.start(script, merge);

    const { reason, plan } = await deployment.reached('awaiting-review');
    expect(reason).toContain(why);
    expect(plan?.made.body).toMatchObject({ digest: DIGEST });
    expect(plan).not.toHaveProperty('beforeMerge');
    await deployment.review();

    const result = await deployment.result();
    expect(result).toMatchObject({ status: 'succeeded', plan: { made: { body: { digest: DIGEST } } } });
    expect(deployment.asked.audits.at(-1)).toMatchObject({ planDigest: DIGEST });
    expect(deployment.asked.audits.at(-1)).not.toHaveProperty('approvedBeforeMerge');
  });

  test.each<[string, Partial<Script>]>([
    ['an apply that Terraform refused', { apply: once({ kind: 'plan-unusable', why: 'the state changed' }) }],
    ['one that may have got permission, although the answer was lost', { begin: refusedOnce(new Error('no answer')) }],
  ])('tells the end of %s before somebody answers the new plan', async (_what, script) => {
    const deployment = await stage.start({ ...holds, ...script }, { ...merge, durations: { auditMs: 300 } });
    await deployment.reached('awaiting-review');

    await deployment.until('the end of that apply', ({ audits }) => audits.at(-1)?.state === 'FAILURE');
    expect(deployment.asked.audits.at(-1)).toMatchObject({
      approvedBy: 'grace',
      planDigest: OTHER_DIGEST,
    });

    await deployment.review();
    expect((await deployment.result()).status).toBe('succeeded');
    expect(deployment.asked.audits.map(({ state }) => state)).toEqual(
      'begin' in script ? ['FAILURE', 'RUNNING', 'SUCCESS'] : ['RUNNING', 'FAILURE', 'RUNNING', 'SUCCESS'],
    );
  });

  test('is planned and asked for where its history is another one', async () => {
    const deployment = await stage.start(holds, { ...merge, reviewRequired: true });

    const { reason } = await deployment.reached('awaiting-review');
    await deployment.record('reviewed-and-diverged');

    expect(reason).toContain('this commit does not contain what is deployed');
    await deployment.review({ answer: 'rejected' });
    expect(await deployment.result()).toMatchObject({ status: 'rejected' });
  });

  test('is applied elsewhere when its host does not begin', async () => {
    const declined = () => Promise.reject(ApplicationFailure.create({ message: 'no disk', type: 'HOST_DECLINED' }));
    const deployment = await stage.start(
      {
        ...holds,
        claim: (attempt) => Promise.resolve(attempt === 0 ? 'h1' : 'h2'),
        apply: (hostId) => (hostId === 'h1' ? declined() : Promise.resolve({ kind: 'applied', counts: COUNTS })),
      },
      merge,
    );

    expect(await deployment.result()).toMatchObject({ status: 'succeeded' });
    expect(deployment.asked.applies.map(({ go }) => go.body.digest)).toEqual([OTHER_DIGEST, OTHER_DIGEST]);
  });
});

const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };

/** The first apply ends so, the second one well. */
function once(first: Awaited<ReturnType<Script['apply']>>): Script['apply'] {
  return (_hostId, attempt) => Promise.resolve(attempt === 0 ? first : { kind: 'applied', counts: COUNTS });
}

function refusedOnce(
  why: Error = ApplicationFailure.nonRetryable('abc1234 was applied since', 'REVIEW_OUTDATED'),
): Script['begin'] {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > 1 ? Promise.resolve() : Promise.reject(why);
  };
}
