/**
 * What an activity is asked to show or to store comes through Temporal. Only deployments that intake ordered are shown on GitHub
 * and recorded, exactly as they were ordered.
 */
import {
  orderFacts,
  planFacts,
  type Deployment,
  type Presentation,
  type Repository,
  type Shown,
} from '@nereid/contracts';
import { ForgedError } from '@nereid/signature';
import type { WorkerContext } from '../context.ts';

type VerifyContext = Pick<WorkerContext, 'signatures'>;

/**
 * Throws a `ForgedError`, unless intake ordered the deployment and, while a person is asked, a host made the plan that they see.
 * Afterwards the lane may have shortened the plan.
 */
export async function verifyOrder(
  { signatures }: VerifyContext,
  { repository, deployment }: { readonly repository: Repository; readonly deployment: Deployment },
): Promise<void> {
  const { id, order, progress } = deployment;
  await signatures.verify('order', orderFacts(repository, deployment), order);
  const { plan, status } = progress;
  if (status !== 'awaiting-review') return;
  if (plan === undefined) throw signatures.forged('plan', 'no plan', id);
  await signatures.verify('plan', planFacts(id, order, plan), plan.signature);
}

/** Those of the deployments in this repository that intake ordered. */
export async function onlyOrdered<T extends { readonly deployment: Deployment }>(
  context: VerifyContext,
  repository: Repository,
  all: readonly T[],
): Promise<readonly T[]> {
  const verified = await Promise.all(
    all.map(async (one) => ((await isOrdered(context, repository, one.deployment)) ? [one] : [])),
  );
  return verified.flat();
}

/** The answer for what is not shown. */
export function refusedToShow({ deployment }: Presentation): Shown {
  return {
    deploymentId: deployment.id,
    kind: 'refused',
    why: 'nobody ordered this deployment, or no host made this plan',
  };
}

async function isOrdered(context: VerifyContext, repository: Repository, deployment: Deployment): Promise<boolean> {
  try {
    await verifyOrder(context, { repository, deployment });
    return true;
  } catch (error) {
    if (error instanceof ForgedError) return false;
    throw error;
  }
}
