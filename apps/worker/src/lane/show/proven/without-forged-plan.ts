/**
 * A deployment whose plan no host signed comes to its end all the same: it gets no permission to apply. That end is shown and stored
 * without the plan. Everything else that is said of such a plan is refused as a whole.
 */
import type { Deployment, DeploymentStatus } from '@nereid/domain/deployment';
import { undefinedIfForged } from '../../../platform/keys/signatures.ts';
import { openPlan } from '../../verify-orders.ts';
import type { WordsContext } from './proven-people.ts';

/** They are true whatever the plan was. */
const WITHOUT_PLAN: ReadonlySet<DeploymentStatus> = new Set(['cancelled', 'plan-failed', 'host-lost']);

export async function withoutForgedPlan<T extends { readonly deployment: Deployment }>(
  context: WordsContext,
  subject: T,
): Promise<T> {
  const { deployment } = subject;
  const { plan, overrides: _ofIt, approvals: _too, glass: _broken, ...progress } = deployment.progress;
  if (plan === undefined || !WITHOUT_PLAN.has(progress.status)) return subject;
  if ((await undefinedIfForged(openPlan(context, deployment, plan))) !== undefined) return subject;
  return { ...subject, deployment: { ...deployment, progress } };
}
