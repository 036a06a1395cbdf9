/** What a host says is signed: whoever reaches Temporal can answer in the name of a host. */
import { outcomeFacts, type ApplyOutcome } from '@nereid/domain/deployment';
import { failureFacts, type Failure } from '@nereid/domain/host';
import type { HostContext } from '../job/tools.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

type Signing = Pick<HostContext, 'signatures'>;

/** An outcome that another job brought has the signature of then. */
export async function withProof(
  context: Signing,
  job: Pick<OpenedJob, 'deploymentId' | 'jobId' | 'order'>,
  outcome: ApplyOutcome,
): Promise<ApplyOutcome> {
  if (outcome.kind !== 'applied' && outcome.kind !== 'failed') return outcome;
  if (outcome.proof !== undefined) return outcome;
  const { deploymentId, jobId, order } = job;
  const facts = outcomeFacts(deploymentId, jobId, order.signature, outcome);
  const proof = { jobId, signature: await context.signatures.sign('outcome', facts) };
  if (outcome.kind === 'applied') return { ...outcome, proof };
  return { ...outcome, failure: await signedFailure(context, job, outcome.failure), proof };
}

/** The failure of a plan or an apply, with its lines. */
export async function signedFailure(
  { signatures }: Signing,
  { deploymentId, order }: Pick<OpenedJob, 'deploymentId' | 'order'>,
  failure: Failure,
): Promise<Failure> {
  const signature = await signatures.sign('failure', failureFacts(deploymentId, order.signature, failure));
  return { ...failure, signature };
}
