import type { Ending } from '@nereid/domain/deployment-actor';
import type { WorkerContext } from '../../platform/context.ts';
import { withProvenEnding } from '../show/proven/proven-words.ts';
import { withoutForgedPlan } from '../show/proven/without-forged-plan.ts';
import { verifyDeployment } from '../verify-orders.ts';

/** The ending as far as it is proven. Throws a `ForgedError`, unless intake ordered the deployment, and it ended so. */
export async function proveEnding(context: WorkerContext, ending: Ending): Promise<Ending> {
  const record = await withoutForgedPlan(context, ending.record);
  await verifyDeployment(context, record);
  return withProvenEnding(context, { ...ending, record });
}
