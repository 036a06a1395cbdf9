/** What people decided about the plan of a deployment counts only when intake signed it. */
import type { Deployment } from '@nereid/domain/deployment';
import { overrideFacts, reviewFacts, type PlanReview, type PolicyOverride } from '@nereid/domain/plan';
import type { WorkerContext } from '../platform/context.ts';

type VerifyContext = Pick<WorkerContext, 'signatures'>;

/** Throws a `ForgedError`, unless intake signed it. */
export function verifyReview({ signatures }: VerifyContext, review: PlanReview): Promise<void> {
  return signatures.verify('review', reviewFacts(review), review.signature);
}

/** Throws a `ForgedError`, unless intake signed it. */
export function verifyOverride({ signatures }: VerifyContext, override: PolicyOverride): Promise<void> {
  return signatures.verify('override', overrideFacts(override), override.signature);
}

/** Throws a `ForgedError`, unless each override that the deployment names is one of its plan, by the person whom it names. */
export async function verifyOverrides(context: VerifyContext, { id, progress }: Deployment): Promise<void> {
  const { overrides = [], plan } = progress;
  for (const override of overrides) {
    await verifyOverride(context, override);
    if (override.deploymentId !== id || override.digest !== plan?.digest)
      throw context.signatures.forged('override', 'one of another plan', id);
  }
}
