/** `cancel`: what ran in a lane when somebody asked, and nothing that began after it. */
import { hasEnded, MESSAGE, type Cancelling, type Deployment, type Progress, type Repository } from '@nereid/contracts';
import { WorkflowNotFoundError } from '@temporalio/client';
import { MESSAGE_MS } from '../../lane/start-lane.ts';
import { viewLane } from '../../lane/view-lane.ts';
import type { IntakeCall } from '../intake-call.ts';

export interface Cancelled {
  /** Those whose deployment was asked to end. */
  readonly rootNames: readonly string[];
  /** Those where nothing ran. */
  readonly idle: readonly string[];
  readonly deployments: readonly Deployment[];
}

/** Asks the running deployment of each root to end gracefully. Another attempt at the same event asks for the same ones. */
export async function cancelRunning(
  call: IntakeCall,
  repository: Repository,
  rootNames: readonly string[],
  by: string,
): Promise<Cancelled> {
  const cancelled = new Map<string, Deployment>();
  for (const rootName of rootNames) {
    const deployment = await ranWhenAsked(call, repository, rootName);
    if (deployment && (await isCancelled(call, deployment, by))) cancelled.set(rootName, deployment);
  }
  return {
    rootNames: [...cancelled.keys()],
    idle: rootNames.filter((rootName) => !cancelled.has(rootName)),
    deployments: [...cancelled.values()],
  };
}

/**
 * It may have ended since, by an earlier attempt. The record speaks for a lane that does not run or has not read it yet;
 * what it still calls running although it ended cannot be cancelled any more.
 */
async function ranWhenAsked(
  { context, receivedAtMs }: IntakeCall,
  repository: Repository,
  rootName: string,
): Promise<Deployment | undefined> {
  const view = await viewLane(context, repository, rootName);
  const stored = await context.laneRecords.read(repository, rootName);
  const known = [view?.running, ...(view?.ended ?? []), stored?.record.running];
  return known.find((deployment) => deployment && ranAt(deployment.progress, receivedAtMs));
}

function ranAt({ status, times }: Progress, atMs: number): boolean {
  const beganAtMs = Date.parse(times.preparing ?? '');
  const endedAtMs = hasEnded(status) ? Date.parse(times[status] ?? '') : Infinity;
  return beganAtMs <= atMs && atMs < endedAtMs;
}

/** False when it came to another end, or has no workflow yet that could be asked. */
async function isCancelled(
  { context: { temporal } }: IntakeCall,
  { id, progress: { status } }: Deployment,
  by: string,
): Promise<boolean> {
  if (hasEnded(status)) return status === 'cancelled';
  try {
    const deployment = temporal.workflow.getHandle(id);
    const message: Cancelling = { version: 1, by };
    await temporal.withDeadline(Date.now() + MESSAGE_MS, async () => {
      await deployment.signal(MESSAGE.cancelling, message);
      await deployment.cancel();
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
