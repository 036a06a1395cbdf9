import { outcomeFacts, type ApplyOutcome, type HostJob } from '@nereid/contracts';
import type { HostContext } from '../job/tools.ts';

/**
 * The outcome with the host's signature: whoever reaches Temporal can answer in the name of a host. An outcome that another
 * job brought has the signature of then.
 */
export async function withProof(
  { signatures }: Pick<HostContext, 'signatures'>,
  { deploymentId, jobId, order }: Pick<HostJob, 'deploymentId' | 'jobId' | 'order'>,
  outcome: ApplyOutcome,
): Promise<ApplyOutcome> {
  if (outcome.kind !== 'applied' && outcome.kind !== 'failed') return outcome;
  if (outcome.proof !== undefined) return outcome;
  const signature = await signatures.sign('outcome', outcomeFacts(deploymentId, jobId, order.signature, outcome));
  return { ...outcome, proof: { jobId, signature } };
}
