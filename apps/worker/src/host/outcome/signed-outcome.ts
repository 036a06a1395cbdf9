/** What a host says is signed: whoever reaches Temporal can answer in the name of a host. */
import type { ApplyOutcome, HostEnd } from '@nereid/domain/deployment';
import type { Failure, HostFailure } from '@nereid/domain/host';
import type { Signed } from '@nereid/domain/signed';
import type { FollowedApply } from '@nereid/terraform';
import type { HostContext } from '../job/tools.ts';
import type { OpenedJob } from '../../platform/tokens/opened-job.ts';

type Signing = Pick<HostContext, 'signatures'>;

/** The outcome of an apply that ended in this job. */
export async function signedOutcome(
  context: Signing,
  job: Pick<OpenedJob, 'deploymentId' | 'jobId' | 'order'>,
  ended: FollowedApply,
): Promise<ApplyOutcome> {
  if (ended.kind === 'applied') return { ...ended, proof: await proofOf(context, job, ended) };
  if (ended.kind !== 'failed') return ended;
  const { kind, failure } = ended;
  const proof = await proofOf(context, job, { kind, summary: failure.summary });
  return { kind, failure: await signedFailure(context, job, failure), proof };
}

function proofOf(
  { signatures }: Signing,
  { deploymentId, jobId, order }: Pick<OpenedJob, 'deploymentId' | 'jobId' | 'order'>,
  end: HostEnd,
) {
  return signatures.enclose('result/outcome', { version: 1, deploymentId, jobId, order: order.signature, ...end });
}

/** The failure of a plan or an apply, with its lines. */
export function signedFailure(
  { signatures }: Signing,
  { deploymentId, order }: Pick<OpenedJob, 'deploymentId' | 'order'>,
  failure: Failure,
): Promise<Signed<HostFailure>> {
  return signatures.enclose('result/failure', { version: 1, deploymentId, order: order.signature, ...failure });
}
