/**
 * `cancel` ends the deployments that ran in the lanes when somebody asked, and those of their pull request that waited
 * there. Later deployments stay.
 */
import { hasEnded, type Deployment } from '@nereid/domain/deployment';
import type { Sender } from '@nereid/domain/intake';
import type { Repository } from '@nereid/domain/root';
import { cancel } from '../../actions/cancel.ts';
import { viewLane, withProgress } from '../../lane/view-lane.ts';
import type { IntakeCall } from '../intake-call.ts';

export interface Cancelled {
  readonly deployments: readonly CancelledDeployment[];
  /** Roots in which there was nothing to cancel. */
  readonly idle: readonly string[];
}

export interface CancelledDeployment {
  readonly deployment: Deployment;
  /** Whether its apply had begun, which is asked to stop. Nothing of any other one will be applied. */
  readonly isStopping: boolean;
}

export interface ToCancel {
  readonly repository: Repository;
  readonly rootNames: readonly string[];
  readonly pullRequest: number;
}

/** Among ended deployments, only those matter that an attempt at the same event cancelled a moment ago. */
const ENDED_LIMIT = 20;

/** Another attempt at the same event cancels the same deployments, and gets the same answers. */
export async function cancelDeployments(call: IntakeCall, asker: Sender, asked: ToCancel): Promise<Cancelled> {
  const cancelled: CancelledDeployment[] = [];
  for (const rootName of asked.rootNames) {
    for (const deployment of await wereThere(call, asked, rootName)) {
      const answer = await cancel(call, asker, { repository: asked.repository, deployment });
      if (answer.kind !== 'refused') cancelled.push({ deployment, isStopping: answer.isStopping });
    }
  }
  const rootsOf = new Set(cancelled.map(({ deployment }) => deployment.root.name));
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
