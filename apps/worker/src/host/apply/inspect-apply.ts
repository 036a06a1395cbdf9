/** Finds the outcome of an apply whose worker was lost: Terraform outlives the worker, and this host has the same disk. */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyOutcome } from '@nereid/domain/deployment';
import { hasErrorCode } from '@nereid/subprocess';
import { followApply, type Environment } from '@nereid/terraform';
import { openLog } from '../job/log.ts';
import { closeIdentity, leftTokens } from '../job/identity/job-identity.ts';
import { signedOutcome } from '../outcome/signed-outcome.ts';
import { isKeptPlanGone } from '../plan/restore-plan.ts';
import { secretsOfEnvironment, secretsOfStep } from '../job/secrets.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';
import { jobFolderIn } from '../job/workspace.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

const AGAIN = '\n[nereid: the worker was lost and another one took over; Terraform output from its beginning]\n';

const UNSHOWN = '\n[nereid: the worker was lost; its secrets are no longer known, so the output is not shown]\n';

const NOTHING = new Uint8Array();

export async function inspectApply(tools: HostTools, job: OpenedJob, steps: Steps): Promise<ApplyOutcome> {
  const { context } = tools;
  // An empty disk says nothing about an apply that ran from it.
  if (!(await isThere(join(context.config.workDir, job.deploymentId)))) {
    return { kind: 'unknown', why: `Host ${context.hostId} no longer has anything of this deployment on its disk.` };
  }
  steps.at('following an apply that a former worker began');
  const secrets = await secretsOf(tools, job);
  const log = openLog(tools, job, secrets ?? []);
  const isShown = secrets !== undefined;
  try {
    await log.write(Buffer.from(isShown ? AGAIN : UNSHOWN));
    const outcome = await followApply({
      folder: jobFolderIn(context.config.workDir, job),
      root: job.root,
      log: (chunk) => (isShown ? log.write(chunk) : undefined),
      hide: (output) => (isShown ? log.masked(output) : NOTHING),
      signal: steps.signal,
    });
    await closeIdentity(tools, job);
    return await signedOutcome(context, job, outcome);
  } finally {
    await log.end();
  }
}

/**
 * The secrets that the former worker hid. It may have allowed other variables, so all are taken. The values of `env` steps
 * are kept with the plan. Undefined when this worker cannot know them any more; then no output may be shown.
 */
async function secretsOf(tools: HostTools, job: OpenedJob): Promise<readonly string[] | undefined> {
  const { context } = tools;
  const { root } = job;
  const tokens = await leftTokens(tools, job);
  if (tokens === undefined) return undefined;
  const steps = [...root.steps.plan, ...root.steps.apply].flatMap((step) => (step.kind === 'env' ? [step] : []));
  const kept = steps.some((step) => 'run' in step) ? await valuesOf(context, job) : {};
  const secrets: string[] = [...tokens, ...secretsOfEnvironment(context.environment)];
  for (const step of steps) {
    // What a step of the apply printed is kept nowhere.
    const value = 'value' in step ? step.value : kept?.[step.name];
    if (value === undefined) return undefined;
    secrets.push(...secretsOfStep(root, step.name, value));
  }
  return secrets;
}

/** The janitor does not know which plan was applied: the deployment's own, if there is one, was made last. */
async function valuesOf(
  context: HostTools['context'],
  { deploymentId, reviewed }: OpenedJob,
): Promise<Environment | undefined> {
  const own = await keptValues(context, deploymentId);
  return own === undefined && reviewed ? keptValues(context, reviewed.review.body.previewId) : own;
}

async function keptValues(
  { config, keptPlans }: HostTools['context'],
  deploymentId: string,
): Promise<Environment | undefined> {
  const folder = await mkdtemp(join(config.dataDir, 'inspect-'));
  try {
    return (await keptPlans.fetch(deploymentId, folder)).env;
  } catch (error) {
    if (isKeptPlanGone(error)) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await access(folder);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}
