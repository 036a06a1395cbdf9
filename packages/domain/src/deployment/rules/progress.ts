/** How the progress of a deployment moves on: pure, so that a lane and its tests agree on every field. */
import { defined } from '../../defined.ts';
import type { Deployment } from '../model.ts';
import type { Progress } from '../progress.ts';
import type { DeploymentStatus } from '../status.ts';

export function queuedProgress(at: string): Progress {
  return { status: 'queued', times: { queued: at }, jobs: {} };
}

/** Returns the progress with a new status, without the reason and the wait of the previous status. */
export function advance(progress: Progress, status: DeploymentStatus, at: string, reason?: string): Progress {
  const { reason: _over, waitsFor: _overToo, ...kept } = progress;
  return { ...kept, status, times: { ...progress.times, [status]: at }, ...defined({ reason }) };
}

export function advanced(deployment: Deployment, status: DeploymentStatus, at: string, reason?: string): Deployment {
  return { ...deployment, progress: advance(deployment.progress, status, at, reason) };
}
