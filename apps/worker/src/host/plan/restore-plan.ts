/** Restores a kept plan on a host that did not make it, or that forgot it in a restart. */
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { hasErrorCode } from '@nereid/subprocess';
import { checkOutForJob } from '../job/check-out.ts';
import { authorizationFor } from '../job/prepared-job.ts';
import { requireInputs } from '../job/require-inputs.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools, PlanAtHand } from '../job/tools.ts';
import { plannerOf, workspaceOf } from '../job/workspace.ts';
import type { OpenedApply } from '../../platform/tokens/opened-job.ts';

export type PlanUnusable = Extract<ApplyOutcome, { kind: 'plan-unusable' }>;

export type RestoredPlan =
  | ({
      readonly kind: 'restored';
      /** Puts the files in their places once more: an init removes what is in the folders of modules. */
      readonly afterInit: () => Promise<void>;
    } & Pick<PlanAtHand, 'treeDir' | 'envValues' | 'description'>)
  | PlanUnusable;

/** Checks out the revision and puts the plan and its files in their places. Does not initialise Terraform. */
export async function restorePlan(tools: HostTools, job: OpenedApply, steps: Steps): Promise<RestoredPlan> {
  const { keptPlans } = tools.context;
  steps.at('restoring the kept plan');
  const { signal } = steps;
  const authorization = await authorizationFor(tools, job, signal);
  const planner = plannerOf(job);
  const treeDir = await checkOutForJob(tools, job, { at: planner, signal, authorization });
  await requireInputs(tools, job, { treeDir, authorization, signal });
  try {
    const fetch = () => keptPlans.fetch(planner, workspaceOf(tools, job, treeDir).folder);
    const { env, description } = await fetch();
    return { kind: 'restored', treeDir, envValues: env, description, afterInit: () => fetch().then(() => undefined) };
  } catch (error) {
    if (isKeptPlanGone(error)) return { kind: 'plan-unusable', why: error.message };
    throw error;
  }
}

export function isKeptPlanGone(error: unknown): error is Error {
  return hasErrorCode(error, 'KEPT_PLAN_MISSING') || hasErrorCode(error, 'KEPT_PLAN_UNREADABLE');
}
