import type { Deployment } from '@nereid/contracts';
import { deploymentAt, REPOSITORY } from '@nereid/lane/testing';
import { expect, test } from '@jest/globals';
import { asOrdered, testSignatures } from '../testing/test-signatures.ts';
import { onlyOrdered, verifyOrder } from './verify-orders.ts';

const NOTHING = { create: 0, update: 0, replace: 0, delete: 0, import: 0, move: 0, forget: 0, outputs: 0 };
const CONTEXT = { signatures: testSignatures };

/** A deployment whose plan deletes something, and waits for a person. */
function waiting(): Promise<Deployment> {
  const summary = { ...NOTHING, delete: 3, resources: [], omitted: 0 };
  const plan = { digest: 'a1'.repeat(32), hasChanges: true, reviewRequired: true, summary };
  const progress = { status: 'awaiting-review', times: {}, jobs: {}, plan } as const;
  return asOrdered(REPOSITORY, { ...deploymentAt(1), progress });
}

test('what was ordered, with a plan as its host made it, is shown', async () => {
  await expect(verifyOrder(CONTEXT, { repository: REPOSITORY, deployment: await waiting() })).resolves.toBeUndefined();
});

test('a plan whose summary was made harmless is shown to nobody who could confirm it', async () => {
  const deployment = await waiting();
  const { plan, ...progress } = deployment.progress;
  const harmless = plan && { ...plan, summary: { ...plan.summary, delete: 0 } };
  const shown = { ...deployment, progress: { ...progress, ...(harmless && { plan: harmless }) } };

  await expect(verifyOrder(CONTEXT, { repository: REPOSITORY, deployment: shown })).rejects.toMatchObject({
    kind: 'plan',
  });
});

test('a plan that a lane has shortened after the end is shown', async () => {
  const deployment = await waiting();
  const { plan, ...progress } = deployment.progress;
  const shortened = plan && { ...plan, summary: { ...plan.summary, omitted: 200 } };
  const ended = {
    ...deployment,
    progress: { ...progress, status: 'rejected', ...(shortened && { plan: shortened }) },
  } as const;

  await expect(verifyOrder(CONTEXT, { repository: REPOSITORY, deployment: ended })).resolves.toBeUndefined();
});

test('of several, those that nobody ordered are left out', async () => {
  const deployment = await waiting();
  const forged = { ...deployment, requestedBy: 'officer' };

  expect(await onlyOrdered(CONTEXT, REPOSITORY, [{ deployment: forged }, { deployment }])).toEqual([{ deployment }]);
});
