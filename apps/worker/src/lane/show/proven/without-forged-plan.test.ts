import { expect, test } from '@jest/globals';
import type { Deployment, DeploymentStatus } from '@nereid/domain/deployment';
import { aPlan, deploymentAt, progressAs, REPOSITORY, withMade } from '@nereid/domain/testing';
import { asOrdered, testSignatures } from '../../../testing/test-signatures.ts';
import { withoutForgedPlan } from './without-forged-plan.ts';

const context = { signatures: testSignatures };

async function endedAs(status: DeploymentStatus): Promise<Deployment> {
  const deployment = { ...deploymentAt(1), progress: { ...progressAs(status), plan: aPlan() } };
  return asOrdered(REPOSITORY, deployment);
}

function withSignature({ progress, ...deployment }: Deployment, signature: string): Deployment {
  const { plan, ...rest } = progress;
  return {
    ...deployment,
    progress: { ...rest, ...(plan && { plan: { ...plan, made: { ...plan.made, signature } } }) },
  };
}

test('a deployment without permission to apply ends without the plan that no host signed', async () => {
  const deployment = withSignature(await endedAs('cancelled'), 'a..b');

  const { progress } = (await withoutForgedPlan(context, { deployment })).deployment;

  expect(progress).not.toHaveProperty('plan');
  expect(progress.status).toBe('cancelled');
});

test('nor with one whose warnings somebody made up', async () => {
  const { progress, ...deployment } = await endedAs('cancelled');
  const plan = withMade(progress.plan ?? aPlan(), { warnings: { texts: ['made up'] } });

  const said = await withoutForgedPlan(context, { deployment: { ...deployment, progress: { ...progress, plan } } });

  expect(said.deployment.progress).not.toHaveProperty('plan');
});

test('a plan that its host signed stays', async () => {
  const deployment = await endedAs('cancelled');

  expect(await withoutForgedPlan(context, { deployment })).toEqual({ deployment });
});

test.each(['awaiting-review', 'applying', 'succeeded'] as const)(
  'of a deployment that is %s, the plan is left to be refused with all of it',
  async (status) => {
    const deployment = withSignature(await endedAs(status), 'a..b');

    expect(await withoutForgedPlan(context, { deployment })).toEqual({ deployment });
  },
);
