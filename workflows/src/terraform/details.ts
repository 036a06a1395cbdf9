/** What the Temporal UI shows of a deployment: in lists, and under _Current details_, whatever it does. */
import { hasEnded, type DeploymentStatus, type Progress } from '@nereid/domain/deployment';
import { describeReviewWait } from '@nereid/domain/gates';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';

/** In lists; undefined while nobody knows whether the state lasts. `now` is in epoch milliseconds. */
export function listedAs(
  { progress, durations }: Pick<DeploymentActor, 'progress' | 'durations'>,
  now: number,
): DeploymentStatus | undefined {
  const { status, times } = progress;
  const lastsAt = Date.parse(times[status] ?? '') + durations.quietMs;
  if (!hasEnded(status) && status !== 'awaiting-review' && now < lastsAt) return undefined;
  return status === 'preparing' ? 'planning' : status;
}

/** Whether a host has taken the plan is known of one that lasts. */
const OFFERED = 'The first host with a free slot plans it.';

export function detailsOf({ input, progress, step }: Pick<DeploymentActor, 'input' | 'progress' | 'step'>): string {
  const { root } = input.deployment;
  if (step.kind === 'review') {
    const answers = progress.approvals?.map(({ body }) => body);
    return describeReviewWait(root, step.plan.made.body, progress.plan?.expiresAt ?? '', answers);
  }
  const { status, times, reason, waitsFor, hostId } = progress;
  const since = times[status];
  const where = waitsFor === undefined && hostId !== undefined ? ` on the host ${hostId}` : '';
  return [
    `**${root.name}: ${describeWait(waitsFor) ?? status}**${where}${since === undefined ? '' : `, since ${since}`}.`,
    ...(reason === undefined ? (status === 'preparing' ? [OFFERED] : []) : [reason]),
  ].join('\n\n');
}

function describeWait(waitsFor: Progress['waitsFor']): string | undefined {
  if (waitsFor === undefined) return undefined;
  return waitsFor === 'host' ? 'waits for a host' : 'waits at a closed gate';
}
