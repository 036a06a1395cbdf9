/**
 * `cancel` ends the deployments that ran in the lanes when somebody asked, and those of their pull request that waited
 * there. Later deployments stay.
 */
import { hasEnded, type Deployment, type Repository } from '@nereid/contracts';
import { cancelInLane } from '../../lane/ask-lane.ts';
import { viewLane, withProgress } from '../../lane/view-lane.ts';
import type { IntakeCall } from '../intake-call.ts';

export interface Cancelled {
  /** The deployments that were asked to end, or left the queue. */
  readonly deployments: readonly Deployment[];
  /** Roots in which there was nothing to cancel. */
  readonly idle: readonly string[];
}

export interface ToCancel {
  readonly repository: Repository;
  readonly rootNames: readonly string[];
  readonly pullRequest: number;
  /** GitHub login. */
  readonly by: string;
  /** GitHub's id of the same person, where GitHub told it. */
  readonly byId?: number;
}

/** Among ended deployments, only those matter that an attempt at the same event cancelled a moment ago. */
const ENDED_LIMIT = 20;

/** Another attempt at the same event cancels the same deployments, and gets the same answers. */
export async function cancelDeployments(call: IntakeCall, asked: ToCancel): Promise<Cancelled> {
  const cancelled: Deployment[] = [];
  for (const rootName of asked.rootNames) {
    for (const deployment of await wereThere(call, asked, rootName)) {
      if (await isCancelled(call, asked, deployment)) cancelled.push(deployment);
    }
  }
  const rootsOf = new Set(cancelled.map(({ root }) => root.name));
  return { deployments: cancelled, idle: asked.rootNames.filter((rootName) => !rootsOf.has(rootName)) };
}

/** Includes deployments that an earlier attempt has ended since. */
async function wereThere(
  { context, askedAt }: IntakeCall,
  { repository, pullRequest }: ToCancel,
  rootName: string,
): Promise<readonly Deployment[]> {
  const askedAtMs = Date.parse(askedAt);
  const lane = await viewLane(context, repository, rootName);
  const running = lane?.running && (await withProgress(context, lane.running));
  const ended = await context.deploymentRecords.latest(repository, rootName, ENDED_LIMIT);
  const known = [
    ...ended.map(({ deployment }) => deployment),
    ...(lane ? [...lane.ended, ...lane.waiting] : []),
    ...(running ? [running] : []),
  ];
  return [...new Map(known.map((deployment) => [deployment.id, deployment])).values()].filter(
    (deployment) =>
      isAlive(deployment, askedAtMs) && (ranAt(deployment, askedAtMs) || deployment.pullRequest === pullRequest),
  );
}

function isAlive({ receivedAt, progress: { status, times } }: Deployment, atMs: number): boolean {
  const endedAtMs = hasEnded(status) ? Date.parse(times[status] ?? '') : Infinity;
  return Date.parse(receivedAt) <= atMs && atMs < endedAtMs;
}

function ranAt({ progress: { times } }: Deployment, atMs: number): boolean {
  return Date.parse(times.preparing ?? '') <= atMs;
}

/** False when the deployment ended in another way. */
async function isCancelled(
  call: IntakeCall,
  { repository, by, byId }: ToCancel,
  deployment: Deployment,
): Promise<boolean> {
  const { id, root } = deployment;
  const who = { by, ...(byId !== undefined && { byId }) };
  const message = { version: 1, requestId: `${call.delivery}:${id}`, deploymentId: id, ...who } as const;
  const answer = await cancelInLane(call, repository, root.name, message);
  return answer.kind !== 'refused';
}
