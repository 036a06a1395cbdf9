/**
 * All hosts see in storage which apply of a deployment began. After that, nothing of the deployment is planned or applied any
 * more, even if Temporal has forgotten it (a restored backup), or if somebody sends again what was signed for it.
 */
import type { ApplyOutcome, EndedApply, BegunApply } from '@nereid/domain/deployment';
import { AbortError } from 'p-retry';
import { GoExpiredError } from '../../platform/failures/go-expired.ts';
import { OvertakenError } from '../../platform/failures/overtaken.ts';
import { retryBriefly } from '../job/retry-briefly.ts';
import type { HostContext, HostTools } from '../job/tools.ts';
import type { OpenedApply, OpenedJob } from '../../platform/tokens/opened-job.ts';

/** The parts of the host's tools that it needs. */
export interface BeginTools extends Pick<HostTools, 'leftMarkers'> {
  readonly context: Pick<HostContext, 'begunApplies' | 'hostId' | 'logger'>;
}

type Named = Pick<OpenedJob, 'deploymentId' | 'jobId'>;

/** Another apply of this deployment began, so this one must not. `outcome` is the other one's, as far as known. */
export class BegunElsewhereError extends Error {
  override readonly name = 'BegunElsewhereError';
  readonly code = 'BEGUN_ELSEWHERE';
  readonly outcome: EndedApply;

  constructor(deploymentId: string, marker: BegunApply) {
    super(
      `expected no apply of deployment ${deploymentId}, found the apply of job ${marker.jobId} on host ${marker.hostId}`,
    );
    this.outcome = outcomeOf(marker);
  }
}

function whyNot(deploymentId: string, marker: BegunApply): Error {
  const { overtakenBy } = marker;
  return overtakenBy === undefined
    ? new BegunElsewhereError(deploymentId, marker)
    : new OvertakenError(deploymentId, overtakenBy);
}

/**
 * The known facts about an apply of this deployment that began; undefined if none did. Asked before anything is changed. Throws
 * an `OvertakenError`.
 */
export async function findBegun(tools: BeginTools, { deploymentId, jobId }: Named): Promise<EndedApply | undefined> {
  const { begunApplies, hostId } = tools.context;
  const marker = await retryBriefly(() => begunApplies.read(deploymentId));
  if (marker === undefined) return undefined;
  if (marker.overtakenBy !== undefined) throw new OvertakenError(deploymentId, marker.overtakenBy);
  const isLeft = isOf(marker, hostId, jobId) && marker.outcome === undefined && tools.leftMarkers.has(jobId);
  return isLeft ? undefined : outcomeOf(marker);
}

/**
 * Await it before the first step. Throws `BegunElsewhereError`, and a `GoExpiredError` where the host took so long that it is too late
 * to begin. After any other failure nothing has begun either. A marker of this job is its own, whose answer was lost: `findBegun` saw
 * none.
 */
export async function beginApply(
  { context: { begunApplies, hostId }, leftMarkers }: BeginTools,
  { deploymentId, jobId, go }: Pick<OpenedApply, 'deploymentId' | 'jobId' | 'go'>,
): Promise<void> {
  const { beginBy } = go.body;
  const beginning = await retryBriefly(() => {
    if (Date.now() > Date.parse(beginBy)) throw new AbortError(new GoExpiredError(beginBy));
    return begunApplies.begin(deploymentId, { hostId, jobId });
  });
  if (beginning.kind === 'found' && !isOf(beginning.marker, hostId, jobId))
    throw whyNot(deploymentId, beginning.marker);
  leftMarkers.delete(jobId);
}

/**
 * Does not fail an apply that is over: a storage failure is logged, and the marker stays without an outcome. The true outcome
 * of an apply is not replaced by a later look at its job.
 */
export async function endApply(
  { context: { begunApplies, hostId, logger }, leftMarkers }: BeginTools,
  { deploymentId, jobId }: Named,
  outcome: ApplyOutcome,
): Promise<void> {
  try {
    await retryBriefly(async () => {
      const marker = await begunApplies.read(deploymentId);
      if (marker === undefined || !isOf(marker, hostId, jobId)) return;
      if (hasBegun(outcome)) {
        if (marker.outcome === undefined || marker.outcome.kind === 'unknown')
          await begunApplies.complete(deploymentId, outcome);
      } else if (marker.outcome === undefined) await begunApplies.remove(deploymentId);
    });
  } catch (error) {
    if (!hasBegun(outcome)) leftMarkers.add(jobId);
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

function outcomeOf({ hostId, jobId, outcome }: BegunApply): EndedApply {
  return outcome ?? { kind: 'unknown', why: whyUnknown(hostId, jobId) };
}

function whyUnknown(hostId: string, jobId: string): string {
  return `An apply of this deployment began on host ${hostId} in job ${jobId}, and nobody knows how it ended. Terraform may have changed resources, and may still be at work: look at the state and at its lock before you go on.`;
}
