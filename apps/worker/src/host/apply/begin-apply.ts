/**
 * All hosts see in storage which apply of a deployment began. An apply that may have changed resources is not begun again,
 * even if Temporal has forgotten it (a restored backup).
 */
import type { ApplyJob, ApplyOutcome, HostJob } from '@nereid/contracts';
import type { BegunApply, EndedApply } from '@nereid/storage';
import { retryBriefly } from '../job/retry-briefly.ts';
import type { HostContext } from '../job/tools.ts';

type BeginContext = Pick<HostContext, 'begunApplies' | 'hostId'>;

/** Another apply of this deployment began, so this one must not. `outcome` is that of the other one, as far as known. */
export class BegunElsewhereError extends Error {
  override readonly name = 'BegunElsewhereError';
  readonly code = 'BEGUN_ELSEWHERE';
  readonly outcome: EndedApply;

  constructor(deploymentId: string, { hostId, jobId, outcome }: BegunApply) {
    super(`expected no apply of deployment ${deploymentId}, found that of job ${jobId} on host ${hostId}`);
    this.outcome = outcome ?? { kind: 'unknown', why: whyUnknown(hostId, jobId) };
  }
}

/** Await it before the first step. Throws `BegunElsewhereError`. After any other failure nothing has begun either. */
export async function beginApply({ begunApplies, hostId }: BeginContext, job: ApplyJob): Promise<void> {
  const { deploymentId, jobId } = job;
  const beginning = await retryBriefly(() => begunApplies.begin(deploymentId, { hostId, jobId }));
  if (beginning.kind === 'begun' || isOf(beginning.marker, hostId, jobId)) return;
  throw new BegunElsewhereError(deploymentId, beginning.marker);
}

/** Does not fail an apply that is over: a storage failure is logged, and the marker stays without an outcome. */
export async function endApply(
  { begunApplies, hostId, logger }: BeginContext & Pick<HostContext, 'logger'>,
  { deploymentId, jobId }: Pick<HostJob, 'deploymentId' | 'jobId'>,
  outcome: ApplyOutcome,
): Promise<void> {
  try {
    await retryBriefly(async () => {
      const marker = await begunApplies.read(deploymentId);
      if (marker === undefined || !isOf(marker, hostId, jobId)) return;
      if (hasBegun(outcome)) await begunApplies.complete(deploymentId, outcome);
      else await begunApplies.remove(deploymentId);
    });
  } catch (error) {
    logger.error(
      { err: error, deployment: deploymentId, job: jobId, outcome: outcome.kind },
      'the outcome of an apply could not be added to its marker in storage',
    );
  }
}

function isOf(marker: BegunApply, hostId: string, jobId: string): boolean {
  return marker.hostId === hostId && marker.jobId === jobId;
}

function hasBegun(outcome: ApplyOutcome): outcome is EndedApply {
  return outcome.kind !== 'plan-unusable' && outcome.kind !== 'not-begun';
}

function whyUnknown(hostId: string, jobId: string): string {
  return `Another apply of this deployment began on host ${hostId} in job ${jobId}, and nobody knows how it ended. Terraform may have changed resources, and may still be at work: look at the state and at its lock before you go on.`;
}
