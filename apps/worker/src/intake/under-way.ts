/** A revision that is under way to a root needs nobody to ask for it again: a second check run would hide the first. */
import { hasEnded, type Deployment, type DeploymentStatus, type EndedStatus, type Repository } from '@nereid/contracts';
import { viewLane } from '../lane/view-lane.ts';
import type { IntakeCall } from './intake-call.ts';

export interface Outlook {
  /** The deployment of this very revision that has not ended. */
  readonly underWay?: Deployment;
  /** What runs in the lane. */
  readonly running?: Deployment;
}

/** What a further deployment of the revision would find. What an earlier attempt at this event asked for does not count. */
export async function outlookOf(
  call: IntakeCall,
  repository: Repository,
  rootName: string,
  sha: string,
): Promise<Outlook> {
  const { running, waiting } = await laneOf(call, repository, rootName);
  const requestId = `${call.delivery}:${rootName}`;
  const others = [...(running ? [running] : []), ...waiting].filter((deployment) => deployment.requestId !== requestId);
  const underWay = others.find(({ revision, progress }) => revision.sha === sha && !hasEnded(progress.status));
  const first = others.find(({ id }) => id === running?.id);
  return { ...(underWay && { underWay }), ...(first && { running: first }) };
}

/** The record speaks for a lane that does not run. */
async function laneOf({ context }: IntakeCall, repository: Repository, rootName: string) {
  const view = await viewLane(context, repository, rootName);
  if (view) return { running: view.running, waiting: view.waiting };
  const record = (await context.laneRecords.read(repository, rootName))?.record;
  return { running: record?.running, waiting: record ? [...record.manual, ...record.merged] : [] };
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
