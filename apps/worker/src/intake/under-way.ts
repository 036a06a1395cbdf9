/** A revision that is under way to a root needs nobody to ask for it again: a second check run would hide the first. */
import {
  hasEnded,
  MESSAGE,
  type Deployment,
  type DeploymentStatus,
  type EndedStatus,
  type LaneRecord,
  type Repository,
} from '@nereid/contracts';
import { signalLane } from '../lane/signal-lane.ts';
import { readLane } from '../lane/read-lane.ts';
import type { IntakeCall } from './intake-call.ts';

export interface Outlook {
  /** The deployment of this very revision that has not ended. */
  readonly underWay?: Deployment;
  /** What runs in the lane. */
  readonly running?: Deployment;
}

export interface WantedRevision {
  readonly repository: Repository;
  readonly rootName: string;
  readonly sha: string;
}

/** What a further deployment of the revision would find. What an earlier attempt at this event asked for does not count. */
export async function outlookOf(call: IntakeCall, { repository, rootName, sha }: WantedRevision): Promise<Outlook> {
  const lane = await laneOf(call, repository, rootName);
  if (lane === undefined) return {};
  const { running, manual, merged } = lane;
  const requestId = `${call.delivery}:${rootName}`;
  const others = [...(running ? [running] : []), ...manual, ...merged].filter(
    (deployment) => deployment.requestId !== requestId,
  );
  const underWay = others.find(({ revision, progress }) => revision.sha === sha && !hasEnded(progress.status));
  const first = others.find(({ id }) => id === running?.id);
  // Somebody may have ended its lane by force: what waits there goes on.
  if (underWay) await signalLane(call.context, repository, rootName, { name: MESSAGE.resume, body: { version: 1 } });
  return { ...(underWay && { underWay }), ...(first && { running: first }) };
}

/** What the record says speaks for a lane that does not answer: one that is sick stops no other. */
async function laneOf(
  { context }: IntakeCall,
  repository: Repository,
  rootName: string,
): Promise<LaneRecord | undefined> {
  try {
    return await readLane(context, repository, rootName);
  } catch (error) {
    context.logger.warn({ err: error, repository, root: rootName }, 'a lane does not say what it holds');
    return (await context.laneRecords.read(repository, rootName))?.record;
  }
}

/** To be read after what it is about: `it`, or a revision. */
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
