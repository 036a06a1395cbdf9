import type { AtWork, Claim } from '../../host/claim.ts';
import type { SaidFailure } from '../../host/failure.ts';
import type { MadePlan, Plan } from '../../plan/model.ts';
import type { Signed } from '../../signed.ts';
import type { EndedApply } from './apply-outcome.ts';
import type { Deployment } from '../model.ts';

/** The outcome of preparing, planning and keeping the plan. Failures of the host are thrown, not returned. */
export type PlanOutcome =
  | { readonly kind: 'planned'; readonly plan: Signed<MadePlan> }
  | { readonly kind: 'failed'; readonly failure: SaidFailure }
  /** Nothing was planned: an apply of the deployment has begun, and this is all that is known of its end. */
  | { readonly kind: 'apply-begun'; readonly outcome: EndedApply };

/** The answer of a host that took a plan. */
export interface PlannedOnHost {
  readonly claim: Signed<Claim>;
  /** When it took the slot, in ISO 8601. */
  readonly since: string;
  readonly outcome: PlanOutcome;
}

/** The details of the failure of a host that took a plan. */
export interface PlanningEnded extends AtWork {
  /** Whether no other host would do better. */
  readonly isFinal: boolean;
}

/** The order of which a plan of a deployment has to be: the deployment's own, or the one of the preview that its order names. */
export function plannedFor(
  { id, order = '', reviewed }: Pick<Deployment, 'id' | 'order' | 'reviewed'>,
  { beforeMerge }: Pick<Plan, 'beforeMerge'>,
): Pick<MadePlan, 'deploymentId' | 'order'> {
  if (!beforeMerge || reviewed === undefined) return { deploymentId: id, order };
  const { previewId, order: its } = reviewed.review.body;
  return { deploymentId: previewId, order: its };
}
