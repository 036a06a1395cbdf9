import type { Failure } from '../host/failure.ts';
import type { PlanSummary } from '../plan/summary.ts';
import type { Plan, PlanWarnings } from '../plan/model.ts';
import type { PolicyResult } from '../plan/policy.ts';
import type { EndedApply } from './apply-outcome.ts';
import type { Deployment } from './model.ts';

/** The outcome of preparing, planning and keeping the plan. Failures of the host are thrown, not returned. */
export type PlanOutcome =
  | {
      readonly kind: 'planned';
      readonly hasChanges: boolean;
      /** SHA-256 of the plan file, 64 hex digits. */
      readonly digest: string;
      readonly summary: PlanSummary;
      /** As in `Plan`. */
      readonly textDigest?: string;
      readonly policies?: readonly PolicyResult[];
      readonly warnings?: PlanWarnings;
      readonly stateVersion?: string;
      readonly newWorkspace?: true;
      /** The host's, over `planFacts`. */
      readonly signature?: string;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nothing was planned: an apply of the deployment has begun, and this is all that is known of its end. */
  | { readonly kind: 'apply-begun'; readonly outcome: EndedApply };

/** What a host signs: that this is the plan of that order. `order` is the order's signature. */
export function planFacts(
  deploymentId: string,
  order: string | undefined,
  plan: Omit<Extract<PlanOutcome, { readonly kind: 'planned' }>, 'kind' | 'signature'>,
): object {
  const { digest, hasChanges, summary, textDigest, policies, warnings, stateVersion, newWorkspace } = plan;
  const more = { textDigest, policies, warnings, stateVersion, newWorkspace };
  return { deploymentId, order, digest, hasChanges, summary, ...more };
}

/** The same for a plan of a deployment, which may be the one of the preview that its order names. */
export function planFactsOf(
  { id, order, reviewed }: Pick<Deployment, 'id' | 'order' | 'reviewed'>,
  plan: Plan,
): object {
  if (!plan.beforeMerge || reviewed === undefined) return planFacts(id, order, plan);
  const { previewId, order: its } = reviewed.review.body;
  return planFacts(previewId, its, plan);
}
