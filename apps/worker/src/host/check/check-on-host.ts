/** Runs a check of a wave in a root, with what a plan of that root would have: no more than that can do harm. */
import type { WaveChecked } from '@nereid/domain/deployment';
import type { Signed } from '@nereid/domain/signed';
import { checkRoot } from '@nereid/terraform';
import { inRoot } from '../in-root.ts';
import type { CheckJob } from '../job/order/open-job.ts';
import type { Steps } from '../job/step.ts';
import type { HostTools } from '../job/tools.ts';

export async function checkOnHost(tools: HostTools, job: CheckJob, steps: Steps): Promise<Signed<WaveChecked>> {
  const { run, timeoutMs } = job.checking;
  const result = await inRoot(tools, job, steps, (options) => checkRoot({ ...options, run, timeoutMs }));
  const outcome = result.kind === 'passed' ? {} : { failure: result.failure };
  const about = { waveCheckId: job.deploymentId, order: job.order.signature };
  return tools.context.signatures.enclose('result/wave-checked', { version: 1, ...about, ...outcome });
}
