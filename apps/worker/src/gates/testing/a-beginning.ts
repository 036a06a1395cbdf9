/** A request for permission to apply a plan that nobody reviews, with everything signed that has to be. */
import { orderBody, type Deployment } from '@nereid/domain/deployment';
import type { Beginning } from '@nereid/domain/deployment-actor';
import { NO_CHANGES, type MadePlan } from '@nereid/domain/plan';
import { deploymentAt, REPOSITORY } from '@nereid/domain/testing';
import { asClaimed, testSignatures } from '../../testing/test-signatures.ts';

const JOB = { id: '1-apply-1', startedAt: '2026-01-31T14:00:00.000Z' };

/** `made`: what the host signed. `said`: what the workflow says instead. `ordered`: other fields of the order. */
export async function aBeginning(
  made: Partial<MadePlan> = {},
  said: Partial<MadePlan> = {},
  ordered: Pick<Deployment, 'together'> = {},
): Promise<Beginning> {
  const base = { ...deploymentAt(1), root: { ...deploymentAt(1).root, planReview: 'auto' }, ...ordered } as const;
  const { signature: order } = await testSignatures.enclose('order/deploy', orderBody(REPOSITORY, base));
  const signed = await testSignatures.enclose('result/plan', {
    ...{ version: 1, deploymentId: base.id, order, digest: 'a1'.repeat(32), hasChanges: true },
    summary: { ...NO_CHANGES, create: 1, resources: [], omitted: 0 },
    ...made,
  });
  const plan = { made: { ...signed, body: { ...signed.body, ...said } }, reviewRequired: false };
  const progress = { status: 'planning', times: {}, jobs: {}, plan } as const;
  const claimed = await asClaimed(base.id);
  return { repository: REPOSITORY, deployment: { ...base, order, progress }, job: JOB, ...claimed, audits: [] };
}
