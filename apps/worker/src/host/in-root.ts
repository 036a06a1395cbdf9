/** Has something done in a root that deploys nothing, with what a plan of that root would have: its tree, its environment, its sandbox. */
import { ApplicationFailure } from '@temporalio/common';
import type { JobOptions } from '@nereid/terraform';
import type { OpenedJob } from '../platform/tokens/opened-job.ts';
import { stopLeftOvers } from './clean-up/left-over.ts';
import { checkOutForJob } from './job/check-out.ts';
import { identityTokenFor } from './job/identity/given-identity.ts';
import { closeIdentity } from './job/identity/job-identity.ts';
import { intoLog, openLog } from './job/log.ts';
import { authorizationFor, prepareJob } from './job/prepared-job.ts';
import type { Steps } from './job/step.ts';
import type { HostTools } from './job/tools.ts';
import { makeJobFolder, workspaceOf } from './job/workspace.ts';

/** Throws when the host shuts down: then another one may do it. */
export async function inRoot<Result extends { readonly kind: string }>(
  tools: HostTools,
  job: OpenedJob,
  steps: Steps,
  does: (options: JobOptions) => Promise<Result>,
): Promise<Result> {
  const { signal } = steps;
  await stopLeftOvers(tools.context.config.workDir, job.deploymentId);
  steps.at('fetching the revision');
  const authorization = await authorizationFor(tools, job, signal);
  const identityToken = await identityTokenFor(tools, job, signal);
  const treeDir = await checkOutForJob(tools, job, { signal, authorization });
  const workspace = workspaceOf(tools, job, treeDir);
  await makeJobFolder(workspace);
  const { options, secrets } = await prepareJob(tools, job, workspace, identityToken);
  // The answer says all that there is to say, so no log is kept.
  const output = { ...intoLog(openLog(tools, job, secrets), job), log: () => undefined };
  const doing = does({ ...options, ...output, onStep: (step) => steps.at(step), signal });
  const result = await doing.finally(() => closeIdentity(tools, job));
  if (result.kind === 'stopped' && signal.aborted)
    throw ApplicationFailure.retryable('the host is shutting down', 'HOST_SHUTTING_DOWN');
  return result;
}
