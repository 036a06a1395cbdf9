/** A revision that is under way to a root is not deployed there again: a second check run would hide the first. */
import { hasEnded, type Deployment, type DeploymentStatus, type EndedStatus } from '@nereid/domain/deployment';
import type { Repository } from '@nereid/domain/root';
import { MESSAGE } from '@nereid/domain/temporal-names';
import { signalLane } from '../lane/signal-lane.ts';
import { viewLane, withProgress } from '../lane/view-lane.ts';
import type { IntakeCall } from './intake-call.ts';

export interface UnderWay {
  /** The deployment of the same revision that has not ended. */
  readonly sameRevision?: Deployment;
  /** The deployment that runs in the lane. */
  readonly running?: Deployment;
}

export interface WantedRevision {
  readonly repository: Repository;
  readonly rootName: string;
  readonly sha: string;
}

/** Finds the deployments that a further one would meet, except those that an earlier attempt at this event asked for. */
export async function findUnderWay(call: IntakeCall, { repository, rootName, sha }: WantedRevision): Promise<UnderWay> {
  const lane = await viewLane(call.context, repository, rootName);
  if (lane === undefined) return {};
  const { running, waiting } = lane;
  const requestId = `${call.delivery}:${rootName}`;
  const others = [...(running ? [await withProgress(call.context, running)] : []), ...waiting].filter(
    (deployment) => deployment.requestId !== requestId,
  );
  const sameRevision = others.find(({ revision, progress }) => revision.sha === sha && !hasEnded(progress.status));
  const first = others.find(({ id }) => id === running?.id);
  // Somebody may have ended its lane by force: this makes waiting deployments go on.
  if (sameRevision)
    await signalLane(call.context, repository, rootName, { name: MESSAGE.resume, body: { version: 1 } });
  return { ...(sameRevision && { sameRevision }), ...(first && { running: first }) };
}

/** A predicate whose subject is `it`, or a revision. */
export function describeStatus({ progress: { status } }: Pick<Deployment, 'progress'>): string {
  return hasEnded(status) ? 'has ended' : DOES[status];
}

const DOES: Readonly<Record<Exclude<DeploymentStatus, EndedStatus>, string>> = {
  queued: 'waits in the queue',
  blocked: 'is blocked',
  preparing: 'is being planned',
  planning: 'is being planned',
  'awaiting-review': 'waits for a review of its plan',
  applying: 'is being applied',
};
