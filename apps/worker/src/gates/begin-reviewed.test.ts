/** Permission to apply a plan that a person reviewed before the merge. */
import { describe, expect, test } from '@jest/globals';
import { orderBody, type Deployment } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { NO_CHANGES, type MergeReview, type PlanReview } from '@nereid/domain/plan';
import type { Signed } from '@nereid/domain/signed';
import { aMergeReview as aReview, deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { asClaimed, testSignatures } from '../testing/test-signatures.ts';
import { begin } from './begin.ts';
import { beginContext } from './testing/begin-context.ts';

const DIGEST = 'a1'.repeat(32);
const PLAN = { digest: DIGEST, hasChanges: true, summary: { ...NO_CHANGES, create: 1, resources: [], omitted: 0 } };
const BEFORE_MERGE = '[{ match: "acme/*", plan_review: before_merge }]';

const SEVERAL = '[{ match: "acme/*", plan_review: before_merge, review: { count: 2 } }]';

function aMergeReview(more: Partial<MergeReview> = {}): Promise<Signed<MergeReview>> {
  const plan = { order: 'of the preview', digest: DIGEST, at: new Date().toISOString() };
  return testSignatures.enclose('decision/merge-review', aReview({ ...plan, ...more }).body);
}

interface Made {
  readonly reviewed?: Signed<MergeReview> | undefined;
  /** The order under which the host signed the plan. */
  readonly plannedFor?: readonly [id: string, order: string];
  readonly review?: Partial<PlanReview>;
}

/** As the workflow asks, once control has said that the review holds. */
async function aBeginning(made: Made = {}): Promise<Beginning> {
  const reviewed = 'reviewed' in made ? made.reviewed : await aMergeReview();
  const root = { ...deploymentAt(1).root, planReview: 'before_merge' } as const;
  const ordered = {
    ...deploymentAt(1, { root, trigger: 'merge' }),
    ...(reviewed && { reviewed: { review: reviewed } }),
  };
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, ordered));
  const [id, its] = made.plannedFor ?? ['preview', 'of the preview'];
  const signed = await testSignatures.enclose('result/plan', { version: 1, deploymentId: id, order: its, ...PLAN });
  const plan = { made: signed, reviewRequired: true, beforeMerge: true } as const;
  const deployment: Deployment = { ...ordered, order, progress: { status: 'preparing', times: {}, jobs: {}, plan } };
  const { requestId, digest, by, at } = (reviewed ?? (await aMergeReview())).body;
  const answer = { version: 1, requestId, deploymentId: deployment.id, answer: 'approved', digest, by, at } as const;
  const given = { ...answer, ...made.review };
  const review = await testSignatures.enclose('decision/review', given);
  const job = { id: '1-apply-1', startedAt: at };
  return { repository: REPOSITORY, deployment, review, job, ...(await asClaimed(deployment.id)), audits: [] };
}

describe('permission to apply what was reviewed before the merge', () => {
  test('is given for the plan of the preview, and the audit trail hears whose review it was', async () => {
    const told: object[] = [];
    const audit = async (event: object) => void told.push(event);

    await expect(
      begin(beginContext({ audit, repositories: BEFORE_MERGE }), await aBeginning()),
    ).resolves.toHaveProperty('signature');

    expect(told).toMatchObject([
      { state: 'RUNNING', planDigest: DIGEST, approvedBy: 'grace', approvedBeforeMerge: true },
    ]);
  });

  test.each<[string, () => Promise<Made>, string]>([
    ['that a host signed for the deployment itself', async () => ({ plannedFor: ['d1', 'o'] }), 'result/plan'],
    ['of another preview', async () => ({ plannedFor: ['other', 'of the preview'] }), 'result/plan'],
    ['of another order of that preview', async () => ({ plannedFor: ['preview', 'another'] }), 'result/plan'],
    ['that the order names no review of', async () => ({ reviewed: undefined }), 'result/plan'],
    ['that somebody else is said to have reviewed', async () => ({ review: { by: 'officer' } }), 'decision/review'],
    [
      'of which another digest was reviewed',
      async () => ({ review: { digest: DIGEST.slice(0, 12) } }),
      'decision/review',
    ],
    ['whose review is of another deployment', async () => ({ review: { deploymentId: 'd9' } }), 'decision/review'],
    [
      'of which the order names another digest',
      async () => ({ reviewed: await aMergeReview({ digest: 'b2'.repeat(32) }) }),
      'decision/review',
    ],
  ])('is given for no plan %s', async (_what, made, kind) => {
    const beginning = await aBeginning(await made());

    await expect(begin(beginContext({ repositories: BEFORE_MERGE }), beginning)).rejects.toMatchObject({
      code: 'FORGED',
      kind,
    });
  });

  test('is given to nobody without the word of control that the review holds', async () => {
    const { review: _none, ...beginning } = await aBeginning();

    await expect(begin(beginContext({ repositories: BEFORE_MERGE }), beginning)).rejects.toMatchObject({
      kind: 'decision/review',
    });
  });

  test.each<[string, () => Promise<Signed<MergeReview>>, string]>([
    ['was given more than a week ago', () => aMergeReview({ at: '2026-01-01T00:00:00.000Z' }), BEFORE_MERGE],
    ['is not enough by now', () => aMergeReview(), '[{ match: "acme/*", plan_review: required }]'],
    ['counts for one person where several confirm by now', () => aMergeReview(), SEVERAL],
  ])('is not given when the review %s', async (_what, review, repositories) => {
    const beginning = await aBeginning({ reviewed: await review() });

    await expect(begin(beginContext({ repositories }), beginning)).rejects.toMatchObject({ code: 'REVIEW_OUTDATED' });
  });
});
