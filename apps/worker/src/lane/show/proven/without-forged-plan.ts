/**
 * A deployment whose plan no host signed comes to its end all the same: it gets no leave to apply. That end is shown and stored
 * without the plan. Everything else that is said of such a plan is refused as a whole.
 */
import { planFactsOf, type Deployment, type DeploymentStatus } from '@nereid/contracts';
import { verifies, type WordsContext } from './verifies.ts';

/** They are true whatever the plan was. */
const WITHOUT_PLAN: ReadonlySet<DeploymentStatus> = new Set(['cancelled', 'plan-failed', 'host-lost']);

export async function withoutForgedPlan<T extends { readonly deployment: Deployment }>(
  context: WordsContext,
  subject: T,
): Promise<T> {
  const { deployment } = subject;
  const { plan, overrides: _ofIt, ...progress } = deployment.progress;
  if (plan === undefined || !WITHOUT_PLAN.has(progress.status)) return subject;
  if (await verifies(context, 'plan', planFactsOf(deployment, plan), plan.signature)) return subject;
  return { ...subject, deployment: { ...deployment, progress } };
}
