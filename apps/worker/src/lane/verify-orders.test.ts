import type { Deployment, Progress } from '@nereid/domain/deployment';
import { NO_CHANGES, type Review } from '@nereid/domain/plan';
import { deploymentAt, REPOSITORY, aPlan, withMade } from '@nereid/domain/testing';
import { describe, expect, test } from '@jest/globals';
import { asOrdered, testSignatures } from '../testing/test-signatures.ts';
import { onlyOrdered, verifyDeployment, type VerifyContext } from './verify-orders.ts';

const CONTEXT = {
  signatures: testSignatures,
  begunApplies: { of: () => ({ read: () => Promise.resolve(undefined) }) },
  deploymentRecords: { find: () => Promise.resolve(undefined) },
} as unknown as VerifyContext; // Nothing is stored.

/** A deployment whose plan deletes something, and waits for a person. */
function waiting({ hasChanges = true } = {}): Promise<Deployment> {
  const summary = { ...NO_CHANGES, delete: 3, resources: [], omitted: 0 };
  const plan = aPlan({ hasChanges, summary });
  const progress = { status: 'awaiting-review', times: {}, jobs: {}, plan } as const;
  return asOrdered(REPOSITORY, { ...deploymentAt(1), progress });
}

test('what was ordered, with a plan as its host made it, is shown', async () => {
  await expect(
    verifyDeployment(CONTEXT, { repository: REPOSITORY, deployment: await waiting() }),
  ).resolves.toBeUndefined();
});

test('a plan whose summary was made harmless is shown to nobody who could confirm it', async () => {
  const deployment = await waiting();
  const { plan, ...progress } = deployment.progress;
  const harmless = plan && withMade(plan, { summary: { ...plan.made.body.summary, delete: 0 } });
  const shown = { ...deployment, progress: { ...progress, ...(harmless && { plan: harmless }) } };

  await expect(verifyDeployment(CONTEXT, { repository: REPOSITORY, deployment: shown })).rejects.toMatchObject({
    kind: 'result/plan',
  });
});

const REVIEW = { answer: 'approved', by: 'grace', at: '2026-01-31T14:00:00.000Z' } as const;
const COUNTS = { added: 1, changed: 0, destroyed: 0, imported: 0 };
const FAILURE = { body: { summary: 'no such bucket', lines: ['no'] } };

/** A deployment that was approved and applied. */
async function ended(status: Progress['status'], more: Partial<Progress> = {}): Promise<Deployment> {
  const deployment = await waiting({ hasChanges: status !== 'no-changes' });
  const progress = { ...deployment.progress, status, review: REVIEW, applied: COUNTS, failure: FAILURE, ...more };
  return asOrdered(REPOSITORY, { ...deployment, progress });
}

describe('an end', () => {
  const verify = (deployment: Deployment) => verifyDeployment(CONTEXT, { repository: REPOSITORY, deployment });

  test.each(['succeeded', 'no-changes', 'apply-failed'] as const)('that a host signed is shown: %s', async (status) => {
    await expect(verify(await ended(status))).resolves.toBeUndefined();
  });

  test.each<[string, Progress['status'], Partial<Progress>]>([
    ['success of a failed apply', 'apply-failed', { status: 'succeeded' }],
    ['failure of an apply', 'succeeded', { status: 'apply-failed' }],
    ['other counts', 'succeeded', { applied: { ...COUNTS, destroyed: 5 } }],
    ['another failure', 'apply-failed', { failure: { body: { summary: 'fine', lines: [] } } }],
  ])('that nobody signed is not: %s', async (_what, status, changed) => {
    const deployment = await ended(status);

    const claim = verify({ ...deployment, progress: { ...deployment.progress, ...changed } });

    await expect(claim).rejects.toMatchObject({ kind: 'result/outcome' });
  });

  test('without changes is that of a plan without changes', async () => {
    const deployment = await ended('succeeded');

    await expect(
      verify({ ...deployment, progress: { ...deployment.progress, status: 'no-changes' } }),
    ).rejects.toMatchObject({ kind: 'result/plan' });
  });

  test('is shown with the plan that its host made, and no other', async () => {
    const deployment = await ended('succeeded');
    const { plan, ...progress } = deployment.progress;
    const harmless = plan && withMade(plan, { summary: { ...plan.made.body.summary, delete: 0 } });

    const claim = verify({ ...deployment, progress: { ...progress, ...(harmless && { plan: harmless }) } });

    await expect(claim).rejects.toMatchObject({ kind: 'result/plan' });
  });

  test('is not shown without a signature, nor with that of another deployment', async () => {
    const [deployment, other] = [await ended('succeeded'), await ended('succeeded')];
    const { proof: _proof, ...unproven } = deployment.progress;
    const borrowed = await asOrdered(REPOSITORY, { ...other, id: 'another' });

    await expect(verify({ ...deployment, progress: unproven })).rejects.toMatchObject({ kind: 'result/outcome' });
    const { proof } = borrowed.progress;
    const claim = { ...deployment.progress, ...(proof && { proof }) };
    await expect(verify({ ...deployment, progress: claim })).rejects.toMatchObject({ kind: 'result/outcome' });
  });

  test.each<[string, Partial<Review>]>([
    ['somebody else', { by: 'officer' }],
    ['another answer', { answer: 'rejected' }],
  ])('names nobody who did not answer: %s', async (_what, changed) => {
    const deployment = await ended('succeeded');
    const review = { ...REVIEW, ...deployment.progress.review, ...changed };

    await expect(verify({ ...deployment, progress: { ...deployment.progress, review } })).rejects.toMatchObject({
      kind: 'decision/review',
    });
  });

  test('as rejected takes the answer of a person', async () => {
    const deployment = await waiting();

    await expect(
      verify({ ...deployment, progress: { ...deployment.progress, status: 'rejected' } }),
    ).rejects.toMatchObject({ kind: 'decision/review' });
  });
});

test('of several, those that nobody ordered are left out', async () => {
  const deployment = await waiting();
  const forged = { ...deployment, requestedBy: 'officer' };

  expect(await onlyOrdered(CONTEXT, REPOSITORY, [{ deployment: forged }, { deployment }])).toEqual([{ deployment }]);
});
