/** Frees a lock of a root's state, with what a plan of that root would have, which takes such locks: its tree, its environment, its sandbox. */
import { ApplicationFailure } from '@temporalio/common';
import type { ForceUnlocked } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { forceUnlockRoot } from '@nereid/terraform';
import { checkOutForJob } from '../job/check-out.ts';
import { intoLog, openLog } from '../job/log.ts';
import { identityTokenFor } from '../job/identity/given-identity.ts';
import { closeIdentity } from '../job/identity/job-identity.ts';
import { authorizationFor, prepareJob } from '../job/prepared-job.ts';
import type { UnlockJob } from '../job/order/open-job.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';
import { makeJobFolder, workspaceOf } from '../job/workspace.ts';
import { stopLeftOvers } from '../clean-up/left-over.ts';

/** An init takes minutes when it downloads providers, and the unlock itself a second. */
const TIMEOUT_MS = 8 * 60_000;

export async function forceUnlockOnHost(
  tools: HostTools,
  job: UnlockJob,
  steps: Steps,
): Promise<Signed<ForceUnlocked>> {
  const { signal } = steps;
  const { lockId } = job.unlocking;
  await stopLeftOvers(tools.context.config.workDir, job.deploymentId);
  steps.at('fetching the revision');
  const authorization = await authorizationFor(tools, job, signal);
  const identityToken = await identityTokenFor(tools, job, signal);
  const treeDir = await checkOutForJob(tools, job, { signal, authorization });
  const workspace = workspaceOf(tools, job, treeDir);
  await makeJobFolder(workspace);
  const { options, secrets } = await prepareJob(tools, job, workspace, identityToken);
  const log = openLog(tools, job, secrets);
  // The answer says all that there is to say, so no log is kept.
  const own = { ...intoLog(log, job), log: () => undefined, lockId, timeoutMs: TIMEOUT_MS };
  const unlocking = forceUnlockRoot({ ...options, ...own, onStep: (step) => steps.at(step), signal });
  const result = await unlocking.finally(() => closeIdentity(tools, job));
  if (result.kind === 'stopped' && signal.aborted)
    throw ApplicationFailure.retryable('the host is shutting down', 'HOST_SHUTTING_DOWN');
  const outcome = result.kind === 'freed' ? {} : { failure: result.failure };
  const about = { forceUnlockId: job.deploymentId, order: job.order.signature };
  return tools.context.signatures.enclose('result/force-unlocked', { version: 1, ...about, ...outcome });
}
