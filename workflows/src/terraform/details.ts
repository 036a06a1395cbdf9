/** What the Temporal UI shows of a deployment under _Current details_, whatever it does. */
import { describeReviewWait } from '@nereid/domain/gates';
import type { DeploymentActor } from '@nereid/domain/deployment-actor';

export function detailsOf({ input, progress, step }: Pick<DeploymentActor, 'input' | 'progress' | 'step'>): string {
  const { root } = input.deployment;
  if (step.kind === 'review') return describeReviewWait(root, step.plan.made.body, progress.plan?.expiresAt ?? '');
  const { status, times, reason, waitsFor, hostId } = progress;
  const since = times[status];
  const where = waitsFor === undefined && hostId !== undefined ? ` on the host ${hostId}` : '';
  return [
    `**${root.name}: ${waitsFor === undefined ? status : `waits for a ${waitsFor}`}**${where}${since === undefined ? '' : `, since ${since}`}.`,
    ...(reason === undefined ? [] : [reason]),
  ].join('\n\n');
}
