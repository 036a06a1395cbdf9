/** Applies exactly the approved plan, on the host that made it or on a host that restores the kept plan. */
import { ApplicationFailure } from '@temporalio/common';
import type { ApplyJob, ApplyOutcome } from '@nereid/contracts';
import { ApplyNotBegunError, applyRoot, type ApplyOptions } from '@nereid/terraform';
import { beginApply, BegunElsewhereError, endApply, findBegun } from './begin-apply.ts';
import { intoLog, openLog } from '../job/log.ts';
import { assertNothingRuns, stopLeftOvers } from '../leave/left-over.ts';
import { planDifference } from '../plan/plan-difference.ts';
import { withProof } from './outcome-proof.ts';
import { prepareJob, type PreparedJob } from '../job/prepared-job.ts';
import { restorePlan, type PlanUnusable } from '../plan/restore-plan.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';
import { describeWorkspace, plannerOf, workspaceOf } from '../job/workspace.ts';

/** At most once for each deployment, whoever asks. */
export async function applyOnHost(tools: HostTools, job: ApplyJob, steps: Steps): Promise<ApplyOutcome> {
  const begun = await findBegun(tools, job).catch(decline);
  if (begun !== undefined) return begun;
  const outcome = await withProof(tools.context, job, await applyHere(tools, job, steps));
  await endApply(tools, job, outcome);
  return outcome;
}

async function applyHere(tools: HostTools, job: ApplyJob, steps: Steps): Promise<ApplyOutcome> {
  const prepared = await prepare(tools, job, steps).catch(decline);
  if (prepared.kind === 'plan-unusable') return prepared;
  const log = openLog(tools, job, prepared.secrets);
  try {
    return await applyRoot({
      ...prepared.options,
      ...prepared.plan,
      digest: job.digest,
      ...intoLog(log, job),
      onBegin: () => beginApply(tools, job),
      onStep: (step) => steps.at(step),
      signal: steps.signal,
    });
  } catch (error) {
    if (!(error instanceof ApplyNotBegunError)) throw error;
    if (error.cause instanceof BegunElsewhereError) return error.cause.outcome;
    await endApply(tools, job, { kind: 'not-begun' });
    decline(error);
  } finally {
    await log.end();
  }
}

/** For failures before the first step has begun: nothing was applied, so another host may apply. */
function decline(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw ApplicationFailure.create({
    message: why,
    type: 'HOST_DECLINED',
    ...(error instanceof Error && { cause: error }),
  });
}

type Prepared =
  | ({ readonly kind: 'ready'; readonly plan: Pick<ApplyOptions, 'envValues' | 'initFirst'> } & PreparedJob)
  | PlanUnusable;

async function prepare(tools: HostTools, job: ApplyJob, steps: Steps): Promise<Prepared> {
  await vacate(tools, job);
  const atHand = tools.memory.get(job.deploymentId);
  // Another host may have made the approved plan, after this host's plan could not be used.
  const isAtHand = atHand?.digest === job.digest;
  const plan = isAtHand ? ({ kind: 'at hand', ...atHand } as const) : await restorePlan(tools, job, steps);
  if (plan.kind === 'plan-unusable') return plan;

  const workspace = workspaceOf(tools, job, plan.treeDir);
  const prepared = await prepareJob(tools, job, workspace);
  const here = await describeWorkspace(workspace, job, prepared.terraformVersion);
  const difference = planDifference(plan.description, here);
  if (difference !== undefined) return { kind: 'plan-unusable', why: difference };
  // Nothing has begun yet, so a request to stop can still be followed.
  steps.signal.throwIfAborted();
  return { kind: 'ready', ...prepared, plan: { envValues: plan.envValues, initFirst: !isAtHand } };
}

/**
 * Nothing else may be at work in the folder where the plan was made: a left-over plan is stopped. An apply of another deployment
 * that a lost worker left running there goes on, and this one is declined.
 */
async function vacate({ context }: HostTools, job: ApplyJob): Promise<void> {
  const { workDir } = context.config;
  const planner = plannerOf(job);
  const borrower = await context.mirrors.borrowerOf(planner);
  if (borrower !== undefined && borrower !== job.deploymentId) await assertNothingRuns(workDir, borrower);
  for (const id of new Set([job.deploymentId, planner])) await stopLeftOvers(workDir, id);
}
