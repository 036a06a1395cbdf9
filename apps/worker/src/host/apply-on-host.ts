/** Applies exactly the plan that was approved; on the host that planned it, or on one that restores what was kept. */
import { ApplicationFailure } from '@temporalio/common';
import type { ApplyJob, ApplyOutcome } from '@nereid/contracts';
import { applyRoot, type ApplyOptions } from '@nereid/terraform';
import { openLog } from './log.ts';
import type { Steps } from './step.ts';
import type { HostTools } from './tools.ts';
import { jobOptions, workspaceOf, type PreparedJob } from './workspace.ts';

export async function applyOnHost(tools: HostTools, job: ApplyJob, steps: Steps): Promise<ApplyOutcome> {
  const prepared = await prepare(tools, job, steps).catch(decline);
  if (prepared.kind === 'plan-unusable') return prepared;
  const log = openLog(tools, job, prepared.secrets);
  try {
    return await applyRoot({
      ...prepared.options,
      digest: job.digest,
      ...prepared.restored,
      log: (chunk) => log.write(chunk),
      onStep: (step) => {
        steps.at(step);
      },
      signal: steps.signal,
    });
  } finally {
    await log.end();
  }
}

/** Nothing was applied by then, so that another host may: unlike every failure after this point. */
function decline(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw ApplicationFailure.create({
    message: why,
    type: 'HOST_DECLINED',
    ...(error instanceof Error && { cause: error }),
  });
}

type Prepared =
  | {
      readonly kind: 'ready';
      readonly options: PreparedJob['options'];
      readonly secrets: PreparedJob['secrets'];
      readonly restored: Pick<ApplyOptions, 'envValues' | 'initFirst'>;
    }
  | Extract<ApplyOutcome, { kind: 'plan-unusable' }>;

async function prepare(tools: HostTools, job: ApplyJob, steps: Steps): Promise<Prepared> {
  const { context, memory } = tools;
  const remembered = memory.get(job.deploymentId);
  if (remembered !== undefined) {
    const workspace = workspaceOf(tools, job, remembered.treeDir);
    const { options, secrets } = await jobOptions(tools, job, workspace);
    return { kind: 'ready', options, secrets, restored: { envValues: remembered.envValues } };
  }
  steps.at('restoring the kept plan');
  const { deploymentId, repository, revision } = job;
  const treeDir = await context.mirrors.checkOut({ repository, sha: revision.sha, deploymentId, signal: steps.signal });
  const workspace = workspaceOf(tools, job, treeDir);
  const fetched = await context.keptPlans.fetch(deploymentId, workspace.folder).catch(unusable);
  if ('kind' in fetched) return fetched;
  memory.set(deploymentId, { treeDir, envValues: fetched.env });
  const { options, secrets } = await jobOptions(tools, job, workspace);
  return { kind: 'ready', options, secrets, restored: { envValues: fetched.env, initFirst: true } };
}

function unusable(error: unknown): Extract<Prepared, { kind: 'plan-unusable' }> {
  if (isKeptPlanGone(error)) return { kind: 'plan-unusable', why: error.message };
  throw error;
}

function isKeptPlanGone(error: unknown): error is Error {
  const codes = ['KEPT_PLAN_MISSING', 'KEPT_PLAN_UNREADABLE'];
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
