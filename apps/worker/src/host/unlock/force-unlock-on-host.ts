/** Frees a lock of a root's state, with what a plan of that root would have, which takes such locks. */
import type { ForceUnlocked } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { forceUnlockRoot } from '@nereid/terraform';
import { inRoot } from '../in-root.ts';
import type { UnlockJob } from '../job/order/open-job.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';

/** An init takes minutes when it downloads providers, and the unlock itself a second. */
const TIMEOUT_MS = 8 * 60_000;

export async function forceUnlockOnHost(
  tools: HostTools,
  job: UnlockJob,
  steps: Steps,
): Promise<Signed<ForceUnlocked>> {
  const { lockId } = job.unlocking;
  const result = await inRoot(tools, job, steps, (options) =>
    forceUnlockRoot({ ...options, lockId, timeoutMs: TIMEOUT_MS }),
  );
  const outcome = result.kind === 'freed' ? {} : { failure: result.failure };
  const about = { forceUnlockId: job.deploymentId, order: job.order.signature };
  return tools.context.signatures.enclose('result/force-unlocked', { version: 1, ...about, ...outcome });
}
