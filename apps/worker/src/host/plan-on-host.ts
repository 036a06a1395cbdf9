/** Prepare, plan, keep the plan. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { HostJob, PlanOutcome } from '@nereid/contracts';
import { planRoot, type PlanResult } from '@nereid/terraform';
import type { HostTools } from './tools.ts';
import { openLog } from './log.ts';
import type { Steps } from './step.ts';
import { jobOptions, planToKeep, workspaceOf, type Workspace } from './workspace.ts';

/** Storage that is away for longer than half a minute is a reason to try another host. */
const KEEP_ATTEMPTS = 5;

export async function planOnHost(tools: HostTools, job: HostJob, steps: Steps): Promise<PlanOutcome> {
  const { deploymentId, repository, revision } = job;
  steps.at('fetching the revision');
  const treeDir = await tools.context.mirrors.checkOut({
    repository,
    sha: revision.sha,
    deploymentId,
    signal: steps.signal,
  });
  const workspace = workspaceOf(tools, job, treeDir);
  const { options, secrets, terraformVersion } = await jobOptions(tools, job, workspace);
  const log = openLog(tools, job, secrets);
  try {
    const result = await planRoot({
      ...options,
      log: (chunk) => log.write(chunk),
      onStep: (step) => {
        steps.at(step);
      },
      signal: steps.signal,
    });
    if (result.kind !== 'planned') return unplanned(result);

    steps.at('keeping the plan');
    await keep(tools, job, workspace, terraformVersion, result.envValues);
    tools.memory.set(deploymentId, { treeDir, envValues: result.envValues });
    const { hasChanges, digest, summary } = result;
    return { kind: 'planned', hasChanges, digest, summary };
  } finally {
    await log.end();
  }
}

/** A plan stopped by the host's shutdown is made again elsewhere; one stopped by its limit has failed. */
function unplanned(result: Exclude<PlanResult, { kind: 'planned' }>): PlanOutcome {
  if (result.kind === 'stopped' && result.cause === 'host-shutting-down') {
    throw ApplicationFailure.retryable('the host is shutting down', 'HOST_SHUTTING_DOWN');
  }
  return { kind: 'failed', failure: result.failure };
}

async function keep(
  tools: HostTools,
  job: HostJob,
  workspace: Workspace,
  terraformVersion: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { context } = tools;
  const plan = await planToKeep(tools, job, workspace, terraformVersion, env);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const kept = await context.keptPlans.keep(job.deploymentId, plan);
      if (kept.kind === 'too-big') {
        context.logger.warn({ deployment: job.deploymentId, bytes: kept.bytes }, 'the plan is too big to move');
      }
      return;
    } catch (error) {
      if (attempt === KEEP_ATTEMPTS) throw error;
      await delay(1_000 * attempt);
    }
  }
}
